import { bytedanceImage } from '../../bytedance/image.ts';
import { type ImageColumn, neverTransparent, unknownCount, unknownRatio, wrongSize, vividBird } from './column.ts';

export const bytedanceColumns: readonly ImageColumn[] = [
  {
    provider: bytedanceImage,
    model: 'seedream-4-0-250828',
    sent: {
      plain: [
        '/images/generations',
        {
          model: 'seedream-4-0-250828',
          prompt: 'A red bird',
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      wide: [
        '/images/generations',
        {
          model: 'seedream-4-0-250828',
          prompt: vividBird,
          size: '1536x1024',
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      'large and square': [
        '/images/generations',
        {
          model: 'seedream-4-0-250828',
          prompt: 'A red bird',
          size: '4096x4096',
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      transparent: neverTransparent,
      edit: [
        '/images/generations',
        {
          model: 'seedream-4-0-250828',
          prompt: 'Add a hat',
          image: 'data:image/png;base64,Q0FU',
          size: '1024x1536',
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      fusion: [
        '/images/generations',
        {
          model: 'seedream-4-0-250828',
          prompt: 'Both',
          image: ['data:image/png;base64,Q0FU', 'data:image/png;base64,Q0FU'],
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      'chat, in pixels': [
        '/images/generations',
        {
          model: 'seedream-4-0-250828',
          prompt: 'A red bird',
          size: '1024x1536',
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      'chat, by ratio': unknownRatio,
      'chat, half size': wrongSize,
      'chat, extreme ratio': unknownRatio,
      'chat, with a seed': unknownCount,
    },
  },
  {
    provider: bytedanceImage,
    model: 'seedream-4-5-251128',
    sent: {
      plain: [
        '/images/generations',
        {
          model: 'seedream-4-5-251128',
          prompt: 'A red bird',
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      wide: [
        '/images/generations',
        {
          model: 'seedream-4-5-251128',
          prompt: vividBird,
          size: '2352x1568',
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      'large and square': [
        '/images/generations',
        {
          model: 'seedream-4-5-251128',
          prompt: 'A red bird',
          size: '4096x4096',
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      transparent: neverTransparent,
      edit: [
        '/images/generations',
        {
          model: 'seedream-4-5-251128',
          prompt: 'Add a hat',
          image: 'data:image/png;base64,Q0FU',
          size: '1568x2352',
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      fusion: [
        '/images/generations',
        {
          model: 'seedream-4-5-251128',
          prompt: 'Both',
          image: ['data:image/png;base64,Q0FU', 'data:image/png;base64,Q0FU'],
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      'chat, in pixels': [
        '/images/generations',
        {
          model: 'seedream-4-5-251128',
          prompt: 'A red bird',
          size: '1568x2352',
          sequential_image_generation: 'disabled',
          response_format: 'b64_json',
          watermark: false,
        },
      ],
      'chat, by ratio': unknownRatio,
      'chat, half size': wrongSize,
      'chat, extreme ratio': unknownRatio,
      'chat, with a seed': unknownCount,
    },
  },
];
