import { googleImage } from '../../google/image.ts';
import { openrouterImage } from '../../openrouter/image.ts';
import { type ImageColumn, neverTransparent, unknownCount, wrongRatio, wrongSize, vividBird } from './column.ts';

export const googleColumns: readonly ImageColumn[] = [
  {
    provider: googleImage,
    model: 'gemini-3-pro-image',
    sent: {
      plain: [
        '/models/gemini-3-pro-image:generateContent',
        {
          contents: [{ role: 'user', parts: [{ text: 'A red bird' }] }],
          generationConfig: { responseModalities: ['IMAGE'] },
        },
      ],
      wide: [
        '/models/gemini-3-pro-image:generateContent',
        {
          contents: [{ role: 'user', parts: [{ text: vividBird }] }],
          generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '3:2', imageSize: '1K' } },
        },
      ],
      'large and square': [
        '/models/gemini-3-pro-image:generateContent',
        {
          contents: [{ role: 'user', parts: [{ text: 'A red bird' }] }],
          generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '1:1', imageSize: '4K' } },
        },
      ],
      transparent: neverTransparent,
      edit: [
        '/models/gemini-3-pro-image:generateContent',
        {
          contents: [
            { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'Q0FU' } }, { text: 'Add a hat' }] },
          ],
          generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '2:3', imageSize: '1K' } },
        },
      ],
      fusion: [
        '/models/gemini-3-pro-image:generateContent',
        {
          contents: [
            {
              role: 'user',
              parts: [
                { inlineData: { mimeType: 'image/png', data: 'Q0FU' } },
                { inlineData: { mimeType: 'image/png', data: 'Q0FU' } },
                { text: 'Both' },
              ],
            },
          ],
          generationConfig: { responseModalities: ['IMAGE'] },
        },
      ],
      'chat, in pixels': wrongSize,
      'chat, by ratio': [
        '/models/gemini-3-pro-image:generateContent',
        {
          contents: [{ role: 'user', parts: [{ text: 'A red bird' }] }],
          generationConfig: {
            responseModalities: ['TEXT', 'IMAGE'],
            imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
          },
        },
      ],
      'chat, half size': wrongSize,
      'chat, extreme ratio': wrongRatio,
      'chat, with a seed': unknownCount,
    },
  },
  {
    provider: googleImage,
    model: 'gemini-3.1-flash-image',
    sent: {
      plain: [
        '/models/gemini-3.1-flash-image:generateContent',
        {
          contents: [{ role: 'user', parts: [{ text: 'A red bird' }] }],
          generationConfig: { responseModalities: ['IMAGE'] },
        },
      ],
      wide: [
        '/models/gemini-3.1-flash-image:generateContent',
        {
          contents: [{ role: 'user', parts: [{ text: vividBird }] }],
          generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '3:2', imageSize: '1K' } },
        },
      ],
      'large and square': [
        '/models/gemini-3.1-flash-image:generateContent',
        {
          contents: [{ role: 'user', parts: [{ text: 'A red bird' }] }],
          generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '1:1', imageSize: '4K' } },
        },
      ],
      transparent: neverTransparent,
      edit: [
        '/models/gemini-3.1-flash-image:generateContent',
        {
          contents: [
            { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'Q0FU' } }, { text: 'Add a hat' }] },
          ],
          generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '2:3', imageSize: '1K' } },
        },
      ],
      fusion: [
        '/models/gemini-3.1-flash-image:generateContent',
        {
          contents: [
            {
              role: 'user',
              parts: [
                { inlineData: { mimeType: 'image/png', data: 'Q0FU' } },
                { inlineData: { mimeType: 'image/png', data: 'Q0FU' } },
                { text: 'Both' },
              ],
            },
          ],
          generationConfig: { responseModalities: ['IMAGE'] },
        },
      ],
      'chat, in pixels': wrongSize,
      'chat, by ratio': [
        '/models/gemini-3.1-flash-image:generateContent',
        {
          contents: [{ role: 'user', parts: [{ text: 'A red bird' }] }],
          generationConfig: {
            responseModalities: ['TEXT', 'IMAGE'],
            imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
          },
        },
      ],
      'chat, half size': [
        '/models/gemini-3.1-flash-image:generateContent',
        {
          contents: [{ role: 'user', parts: [{ text: 'A red bird' }] }],
          generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { imageSize: '512' } },
        },
      ],
      'chat, extreme ratio': [
        '/models/gemini-3.1-flash-image:generateContent',
        {
          contents: [{ role: 'user', parts: [{ text: 'A red bird' }] }],
          generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '1:8' } },
        },
      ],
      'chat, with a seed': unknownCount,
    },
  },
  {
    provider: openrouterImage,
    model: 'google/gemini-3.1-flash-image',
    sent: {
      plain: [
        '/chat/completions',
        {
          model: 'google/gemini-3.1-flash-image',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'A red bird' }] }],
          modalities: ['image', 'text'],
        },
      ],
      wide: [
        '/chat/completions',
        {
          model: 'google/gemini-3.1-flash-image',
          messages: [{ role: 'user', content: [{ type: 'text', text: vividBird }] }],
          modalities: ['image', 'text'],
          image_config: { aspect_ratio: '3:2', image_size: '1K' },
          user: 'user-1234',
        },
      ],
      'large and square': [
        '/chat/completions',
        {
          model: 'google/gemini-3.1-flash-image',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'A red bird' }] }],
          modalities: ['image', 'text'],
          image_config: { aspect_ratio: '1:1', image_size: '4K' },
        },
      ],
      transparent: neverTransparent,
      edit: [
        '/chat/completions',
        {
          model: 'google/gemini-3.1-flash-image',
          messages: [
            {
              role: 'user',
              content: [
                { type: 'image_url', image_url: { url: 'data:image/png;base64,Q0FU' } },
                { type: 'text', text: 'Add a hat' },
              ],
            },
          ],
          modalities: ['image', 'text'],
          image_config: { aspect_ratio: '2:3', image_size: '1K' },
        },
      ],
      fusion: [
        '/chat/completions',
        {
          model: 'google/gemini-3.1-flash-image',
          messages: [
            {
              role: 'user',
              content: [
                { type: 'image_url', image_url: { url: 'data:image/png;base64,Q0FU' } },
                { type: 'image_url', image_url: { url: 'data:image/png;base64,Q0FU' } },
                { type: 'text', text: 'Both' },
              ],
            },
          ],
          modalities: ['image', 'text'],
        },
      ],
      'chat, in pixels': wrongSize,
      'chat, by ratio': [
        '/chat/completions',
        {
          model: 'google/gemini-3.1-flash-image',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'A red bird' }] }],
          modalities: ['image', 'text'],
          image_config: { aspect_ratio: '16:9', image_size: '2K' },
        },
      ],
      'chat, half size': [
        '/chat/completions',
        {
          model: 'google/gemini-3.1-flash-image',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'A red bird' }] }],
          modalities: ['image', 'text'],
          image_config: { image_size: '0.5K' },
        },
      ],
      'chat, extreme ratio': [
        '/chat/completions',
        {
          model: 'google/gemini-3.1-flash-image',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'A red bird' }] }],
          modalities: ['image', 'text'],
          image_config: { aspect_ratio: '1:8' },
        },
      ],
      'chat, with a seed': unknownCount,
    },
  },
];
