import type { ImagePart } from '../spec/image-provider.ts';

/** One vendor's image responses with status 200, and their meaning. */
interface ImageFormat {
  readonly model: string;
  /** An answer with one image, and the image read from it. */
  readonly answer: unknown;
  readonly image: ImagePart;
  /** A refusal of offensive content; absent if the vendor refuses only with an error status. */
  readonly refused?: unknown;
  /** The body of a 400 with the same meaning. */
  readonly refusedBadly?: unknown;
}

export const png = 'iVBORw0KGgoAAAANSUhEUg==';
export const jpeg = '/9j/4AAQSkZJRgABAQ==';

const openAi: ImageFormat = {
  model: 'gpt-image-2',
  answer: { created: 1, data: [{ b64_json: png }], output_format: 'png' },
  image: { source: { base64: png, mediaType: 'image/png' } },
  refusedBadly: { error: { code: 'moderation_blocked', type: 'image_generation_user_error', message: 'Blocked.' } },
};

const gemini: ImageFormat = {
  model: 'gemini-3-pro-image',
  answer: {
    candidates: [
      {
        content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: png } }] },
        finishReason: 'STOP',
      },
    ],
  },
  image: { source: { base64: png, mediaType: 'image/png' } },
  refused: { candidates: [{ finishReason: 'IMAGE_SAFETY', finishMessage: 'Unsafe.' }] },
};

const bird = 'https://files.example/bird.png';

/** By provider; those of OpenAI's format share one. */
const formats: Readonly<Record<string, ImageFormat>> = {
  alibaba: {
    model: 'qwen-image-plus',
    answer: {
      output: {
        choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: [{ image: bird }] } }],
      },
      usage: { image_count: 1, width: 1328, height: 1328 },
      request_id: 'a',
    },
    image: { source: { url: bird, mediaType: 'image/png' } },
    refused: {
      request_id: 'a',
      code: 'DataInspectionFailed',
      message: 'Input data may contain inappropriate content.',
    },
    refusedBadly: { request_id: 'a', code: 'DataInspectionFailed', message: 'Inappropriate content.' },
  },
  bytedance: {
    model: 'seedream-4-5-251128',
    answer: { model: 'seedream-4-5-251128', created: 1, data: [{ b64_json: jpeg, size: '2048x2048' }] },
    image: { source: { base64: jpeg, mediaType: 'image/jpeg' }, size: '2048x2048' },
    refused: { data: [{ error: { code: 'OutputImageSensitiveContentDetected', message: 'Sensitive.' } }] },
    refusedBadly: { error: { code: 'InputTextSensitiveContentDetected', message: 'Sensitive.' } },
  },
  google: gemini,
  'google-vertex': gemini,
  openrouter: {
    model: 'google/gemini-3-pro-image',
    answer: {
      id: 'gen-1',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: {
            role: 'assistant',
            content: '',
            images: [{ type: 'image_url', index: 0, image_url: { url: `data:image/png;base64,${png}` } }],
          },
        },
      ],
    },
    image: { source: { url: `data:image/png;base64,${png}` } },
    refused: {
      choices: [{ index: 0, finish_reason: 'content_filter', message: { role: 'assistant', content: '' } }],
    },
  },
  together: {
    model: 'black-forest-labs/FLUX.1-schnell',
    answer: { id: 'a', model: 'm', object: 'list', data: [{ index: 0, b64_json: jpeg }] },
    image: { source: { base64: jpeg } },
  },
  xai: {
    model: 'grok-imagine-image',
    answer: { data: [{ b64_json: jpeg, revised_prompt: 'A bird', mime_type: 'image/jpeg' }] },
    image: { source: { base64: jpeg, mediaType: 'image/jpeg' }, revisedPrompt: 'A bird' },
    refused: { data: [{ url: '', respect_moderation: false }] },
  },
  zai: {
    model: 'cogview-4-250304',
    answer: { created: 1, data: [{ url: bird }], content_filter: [{ role: 'assistant', level: 3 }] },
    image: { source: { url: bird } },
    refused: { created: 1, data: [], content_filter: [{ role: 'user', level: 0 }] },
    refusedBadly: { error: { code: '1301', message: 'Unsafe or sensitive content.' } },
  },
};

export const imageFormatOf = (providerId: string): ImageFormat => formats[providerId] ?? openAi;
