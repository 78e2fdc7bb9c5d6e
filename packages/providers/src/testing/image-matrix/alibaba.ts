import { alibabaImage } from '../../alibaba/image.ts';
import { type ImageColumn, neverTransparent, noImages, unknownRatio, wrongSize, vividBird } from './column.ts';

export const alibabaColumns: readonly ImageColumn[] = [
  {
    provider: alibabaImage,
    model: 'qwen-image-plus',
    sent: {
      plain: [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-plus',
          input: { messages: [{ role: 'user', content: [{ text: 'A red bird' }] }] },
          parameters: { n: 1, watermark: false },
        },
      ],
      wide: [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-plus',
          input: { messages: [{ role: 'user', content: [{ text: vividBird }] }] },
          parameters: { size: '1472*1104', n: 2, watermark: false },
        },
      ],
      'large and square': [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-plus',
          input: { messages: [{ role: 'user', content: [{ text: 'A red bird' }] }] },
          parameters: { size: '1328*1328', n: 1, watermark: false },
        },
      ],
      transparent: neverTransparent,
      edit: noImages,
      fusion: noImages,
      'chat, in pixels': [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-plus',
          input: { messages: [{ role: 'user', content: [{ text: 'A red bird' }] }] },
          parameters: { size: '1104*1472', n: 1, watermark: false },
        },
      ],
      'chat, by ratio': unknownRatio,
      'chat, half size': wrongSize,
      'chat, extreme ratio': unknownRatio,
      'chat, with a seed': [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-plus',
          input: { messages: [{ role: 'user', content: [{ text: 'A red bird' }] }] },
          parameters: { n: 4, seed: 7, watermark: false },
        },
      ],
    },
  },
  {
    provider: alibabaImage,
    model: 'qwen-image-edit-plus',
    sent: {
      plain: noImages,
      wide: noImages,
      'large and square': noImages,
      transparent: noImages,
      edit: [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-edit-plus',
          input: {
            messages: [{ role: 'user', content: [{ image: 'data:image/png;base64,Q0FU' }, { text: 'Add a hat' }] }],
          },
          parameters: { size: '1024*1536', n: 1, watermark: false },
        },
      ],
      fusion: [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-edit-plus',
          input: {
            messages: [
              {
                role: 'user',
                content: [
                  { image: 'data:image/png;base64,Q0FU' },
                  { image: 'data:image/png;base64,Q0FU' },
                  { text: 'Both' },
                ],
              },
            ],
          },
          parameters: { n: 1, watermark: false },
        },
      ],
      'chat, in pixels': { refused: 'unsupported_capability', param: 'messages' },
      'chat, by ratio': { refused: 'unsupported_capability', param: 'messages' },
      'chat, half size': { refused: 'unsupported_capability', param: 'messages' },
      'chat, extreme ratio': { refused: 'unsupported_capability', param: 'messages' },
      'chat, with a seed': { refused: 'unsupported_capability', param: 'messages' },
    },
  },
  {
    provider: alibabaImage,
    model: 'qwen-image-2.0',
    sent: {
      plain: [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-2.0',
          input: { messages: [{ role: 'user', content: [{ text: 'A red bird' }] }] },
          parameters: { n: 1, watermark: false },
        },
      ],
      wide: [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-2.0',
          input: { messages: [{ role: 'user', content: [{ text: vividBird }] }] },
          parameters: { size: '1536*1024', n: 2, watermark: false },
        },
      ],
      'large and square': [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-2.0',
          input: { messages: [{ role: 'user', content: [{ text: 'A red bird' }] }] },
          parameters: { size: '2048*2048', n: 1, watermark: false },
        },
      ],
      transparent: neverTransparent,
      edit: [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-2.0',
          input: {
            messages: [{ role: 'user', content: [{ image: 'data:image/png;base64,Q0FU' }, { text: 'Add a hat' }] }],
          },
          parameters: { size: '1024*1536', n: 1, watermark: false },
        },
      ],
      fusion: [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-2.0',
          input: {
            messages: [
              {
                role: 'user',
                content: [
                  { image: 'data:image/png;base64,Q0FU' },
                  { image: 'data:image/png;base64,Q0FU' },
                  { text: 'Both' },
                ],
              },
            ],
          },
          parameters: { n: 1, watermark: false },
        },
      ],
      'chat, in pixels': [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-2.0',
          input: { messages: [{ role: 'user', content: [{ text: 'A red bird' }] }] },
          parameters: { size: '1024*1536', n: 1, watermark: false },
        },
      ],
      'chat, by ratio': unknownRatio,
      'chat, half size': wrongSize,
      'chat, extreme ratio': unknownRatio,
      'chat, with a seed': [
        '/services/aigc/multimodal-generation/generation',
        {
          model: 'qwen-image-2.0',
          input: { messages: [{ role: 'user', content: [{ text: 'A red bird' }] }] },
          parameters: { n: 4, seed: 7, watermark: false },
        },
      ],
    },
  },
];
