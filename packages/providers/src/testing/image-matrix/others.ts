import { togetherImage } from '../../together/image.ts';
import { xaiImage } from '../../xai/image.ts';
import { zaiImage } from '../../zai/image.ts';
import {
  type ImageColumn,
  neverTransparent,
  noImages,
  unknownRatio,
  unknownSeed,
  wrongRatio,
  wrongSize,
  vividBird,
} from './column.ts';

export const otherColumns: readonly ImageColumn[] = [
  {
    provider: togetherImage,
    model: 'black-forest-labs/FLUX.1-dev',
    sent: {
      plain: [
        '/images/generations',
        { model: 'black-forest-labs/FLUX.1-dev', prompt: 'A red bird', n: 1, response_format: 'base64' },
      ],
      wide: [
        '/images/generations',
        {
          model: 'black-forest-labs/FLUX.1-dev',
          prompt: vividBird,
          width: 1536,
          height: 1024,
          n: 2,
          response_format: 'base64',
        },
      ],
      'large and square': [
        '/images/generations',
        {
          model: 'black-forest-labs/FLUX.1-dev',
          prompt: 'A red bird',
          width: 1792,
          height: 1792,
          n: 1,
          response_format: 'base64',
        },
      ],
      transparent: neverTransparent,
      edit: [
        '/images/generations',
        {
          model: 'black-forest-labs/FLUX.1-dev',
          prompt: 'Add a hat',
          width: 1024,
          height: 1536,
          n: 1,
          image_url: 'data:image/png;base64,Q0FU',
          response_format: 'base64',
        },
      ],
      fusion: { refused: 'invalid_parameters', param: 'images' },
      'chat, in pixels': [
        '/images/generations',
        {
          model: 'black-forest-labs/FLUX.1-dev',
          prompt: 'A red bird',
          width: 1024,
          height: 1536,
          n: 1,
          response_format: 'base64',
        },
      ],
      'chat, by ratio': unknownRatio,
      'chat, half size': wrongSize,
      'chat, extreme ratio': unknownRatio,
      'chat, with a seed': [
        '/images/generations',
        { model: 'black-forest-labs/FLUX.1-dev', prompt: 'A red bird', n: 4, seed: 7, response_format: 'base64' },
      ],
    },
  },
  {
    provider: xaiImage,
    model: 'grok-imagine-image',
    sent: {
      plain: [
        '/images/generations',
        { model: 'grok-imagine-image', prompt: 'A red bird', n: 1, response_format: 'b64_json' },
      ],
      wide: [
        '/images/generations',
        {
          model: 'grok-imagine-image',
          prompt: vividBird,
          n: 2,
          aspect_ratio: '3:2',
          resolution: '1k',
          response_format: 'b64_json',
          user: 'user-1234',
        },
      ],
      'large and square': [
        '/images/generations',
        {
          model: 'grok-imagine-image',
          prompt: 'A red bird',
          n: 1,
          aspect_ratio: '1:1',
          resolution: '2k',
          response_format: 'b64_json',
        },
      ],
      transparent: neverTransparent,
      edit: [
        '/images/edits',
        {
          model: 'grok-imagine-image',
          prompt: 'Add a hat',
          image: { url: 'data:image/png;base64,Q0FU', type: 'image_url' },
          n: 1,
          aspect_ratio: '2:3',
          resolution: '1k',
          response_format: 'b64_json',
        },
      ],
      fusion: [
        '/images/edits',
        {
          model: 'grok-imagine-image',
          prompt: 'Both',
          images: [
            { url: 'data:image/png;base64,Q0FU', type: 'image_url' },
            { url: 'data:image/png;base64,Q0FU', type: 'image_url' },
          ],
          n: 1,
          response_format: 'b64_json',
        },
      ],
      'chat, in pixels': wrongSize,
      'chat, by ratio': [
        '/images/generations',
        {
          model: 'grok-imagine-image',
          prompt: 'A red bird',
          n: 1,
          aspect_ratio: '16:9',
          resolution: '2k',
          response_format: 'b64_json',
        },
      ],
      'chat, half size': wrongSize,
      'chat, extreme ratio': wrongRatio,
      'chat, with a seed': unknownSeed,
    },
  },
  {
    provider: zaiImage,
    model: 'cogview-4-250304',
    sent: {
      plain: ['/images/generations', { model: 'cogview-4-250304', prompt: 'A red bird' }],
      wide: [
        '/images/generations',
        { model: 'cogview-4-250304', prompt: vividBird, size: '1536x1024', quality: 'hd', user_id: 'user-1234' },
      ],
      'large and square': [
        '/images/generations',
        { model: 'cogview-4-250304', prompt: 'A red bird', size: '1440x1440' },
      ],
      transparent: neverTransparent,
      edit: noImages,
      fusion: noImages,
      'chat, in pixels': [
        '/images/generations',
        { model: 'cogview-4-250304', prompt: 'A red bird', size: '1024x1536' },
      ],
      'chat, by ratio': unknownRatio,
      'chat, half size': wrongSize,
      'chat, extreme ratio': unknownRatio,
      'chat, with a seed': unknownSeed,
    },
  },
  {
    provider: zaiImage,
    model: 'glm-image',
    sent: {
      plain: ['/images/generations', { model: 'glm-image', prompt: 'A red bird' }],
      wide: ['/images/generations', { model: 'glm-image', prompt: vividBird, size: '1536x1024', user_id: 'user-1234' }],
      'large and square': ['/images/generations', { model: 'glm-image', prompt: 'A red bird', size: '2048x2048' }],
      transparent: neverTransparent,
      edit: noImages,
      fusion: noImages,
      'chat, in pixels': ['/images/generations', { model: 'glm-image', prompt: 'A red bird', size: '1024x1536' }],
      'chat, by ratio': unknownRatio,
      'chat, half size': wrongSize,
      'chat, extreme ratio': unknownRatio,
      'chat, with a seed': unknownSeed,
    },
  },
];
