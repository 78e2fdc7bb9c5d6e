/** For tests: vendors that return URLs, a job, or JPEG, one that does not fetch input images, and the others. */
export const sampleImageProviders = [
  {
    providerId: 'alibaba',
    stem: 'DASHSCOPE',
    modelNames: ['qwen-image-plus', 'qwen-image-2.0', 'qwen-image-edit', 'wan2.2-t2i-flash'],
  },
  { providerId: 'bytedance', stem: 'ARK', modelNames: ['seedream-4-0-250828', 'seedream-4-5-251128'] },
  {
    providerId: 'google',
    stem: 'GEMINI',
    modelNames: ['gemini-2.5-flash-image', 'gemini-3-pro-image'],
    path: '/v1beta',
  },
  { providerId: 'openai', stem: 'OPENAI', modelNames: ['gpt-image-1', 'gpt-image-2'] },
  { providerId: 'openrouter', stem: 'OPENROUTER', modelNames: ['google/gemini-2.5-flash-image'] },
  { providerId: 'together', stem: 'TOGETHER', modelNames: ['black-forest-labs/FLUX.1-schnell'] },
  { providerId: 'xai', stem: 'XAI', modelNames: ['grok-imagine-image', 'grok-2-image'] },
  { providerId: 'zai', stem: 'ZAI', modelNames: ['cogview-4-250304', 'glm-image'] },
];
