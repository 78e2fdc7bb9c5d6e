import { openaiImage } from '../../openai/image.ts';
import { sandboxImageA } from '../../sandbox/image.ts';
import { type ImageColumn, unknownRatio, unknownSeed, wrongSize, vividBird } from './column.ts';

export const openaiColumns: readonly ImageColumn[] = [
  {
    provider: openaiImage,
    model: 'gpt-image-1-mini',
    sent: {
      plain: ['/images/generations', { model: 'gpt-image-1-mini', prompt: 'A red bird', n: 1 }],
      wide: [
        '/images/generations',
        {
          model: 'gpt-image-1-mini',
          prompt: vividBird,
          n: 2,
          size: '1536x1024',
          quality: 'high',
          user: 'user-1234',
        },
      ],
      'large and square': [
        '/images/generations',
        { model: 'gpt-image-1-mini', prompt: 'A red bird', n: 1, size: '1024x1024' },
      ],
      transparent: [
        '/images/generations',
        {
          model: 'gpt-image-1-mini',
          prompt: 'A red bird',
          n: 1,
          background: 'transparent',
          output_format: 'webp',
          output_compression: 80,
        },
      ],
      edit: [
        '/images/edits',
        {
          model: 'gpt-image-1-mini',
          prompt: 'Add a hat',
          n: 1,
          images: [{ image_url: 'data:image/png;base64,Q0FU' }],
          size: '1024x1536',
        },
      ],
      fusion: [
        '/images/edits',
        {
          model: 'gpt-image-1-mini',
          prompt: 'Both',
          n: 1,
          images: [{ image_url: 'data:image/png;base64,Q0FU' }, { image_url: 'data:image/png;base64,Q0FU' }],
        },
      ],
      'chat, in pixels': [
        '/images/generations',
        { model: 'gpt-image-1-mini', prompt: 'A red bird', n: 1, size: '1024x1536' },
      ],
      'chat, by ratio': unknownRatio,
      'chat, half size': wrongSize,
      'chat, extreme ratio': unknownRatio,
      'chat, with a seed': unknownSeed,
    },
  },
  {
    provider: openaiImage,
    model: 'gpt-image-2',
    sent: {
      plain: ['/images/generations', { model: 'gpt-image-2', prompt: 'A red bird', n: 1 }],
      wide: [
        '/images/generations',
        { model: 'gpt-image-2', prompt: vividBird, n: 2, size: '1536x1024', quality: 'high', user: 'user-1234' },
      ],
      'large and square': [
        '/images/generations',
        { model: 'gpt-image-2', prompt: 'A red bird', n: 1, size: '2880x2880' },
      ],
      transparent: [
        '/images/generations',
        {
          model: 'gpt-image-2',
          prompt: 'A red bird',
          n: 1,
          background: 'transparent',
          output_format: 'webp',
          output_compression: 80,
        },
      ],
      edit: [
        '/images/edits',
        {
          model: 'gpt-image-2',
          prompt: 'Add a hat',
          n: 1,
          images: [{ image_url: 'data:image/png;base64,Q0FU' }],
          size: '1024x1536',
        },
      ],
      fusion: [
        '/images/edits',
        {
          model: 'gpt-image-2',
          prompt: 'Both',
          n: 1,
          images: [{ image_url: 'data:image/png;base64,Q0FU' }, { image_url: 'data:image/png;base64,Q0FU' }],
        },
      ],
      'chat, in pixels': [
        '/images/generations',
        { model: 'gpt-image-2', prompt: 'A red bird', n: 1, size: '1024x1536' },
      ],
      'chat, by ratio': unknownRatio,
      'chat, half size': wrongSize,
      'chat, extreme ratio': unknownRatio,
      'chat, with a seed': unknownSeed,
    },
  },
  {
    provider: sandboxImageA,
    model: 'sandbox-image',
    sent: {
      plain: ['/sandbox-a/v1/images/generations', { model: 'sandbox-image', prompt: 'A red bird', n: 1 }],
      wide: [
        '/sandbox-a/v1/images/generations',
        { model: 'sandbox-image', prompt: vividBird, n: 2, size: '1536x1024', quality: 'high', user: 'user-1234' },
      ],
      'large and square': [
        '/sandbox-a/v1/images/generations',
        { model: 'sandbox-image', prompt: 'A red bird', n: 1, size: '4096x4096' },
      ],
      transparent: [
        '/sandbox-a/v1/images/generations',
        {
          model: 'sandbox-image',
          prompt: 'A red bird',
          n: 1,
          background: 'transparent',
          output_format: 'webp',
          output_compression: 80,
        },
      ],
      edit: [
        '/sandbox-a/v1/images/edits',
        {
          model: 'sandbox-image',
          prompt: 'Add a hat',
          n: 1,
          images: [{ image_url: 'data:image/png;base64,Q0FU' }],
          input_fidelity: 'high',
          size: '1024x1536',
        },
      ],
      fusion: [
        '/sandbox-a/v1/images/edits',
        {
          model: 'sandbox-image',
          prompt: 'Both',
          n: 1,
          images: [{ image_url: 'data:image/png;base64,Q0FU' }, { image_url: 'data:image/png;base64,Q0FU' }],
        },
      ],
      'chat, in pixels': [
        '/sandbox-a/v1/images/generations',
        { model: 'sandbox-image', prompt: 'A red bird', n: 1, size: '1024x1536' },
      ],
      'chat, by ratio': unknownRatio,
      'chat, half size': wrongSize,
      'chat, extreme ratio': unknownRatio,
      'chat, with a seed': unknownSeed,
    },
  },
];
