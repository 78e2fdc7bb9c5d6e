import { openAiCompatible } from '../openai-compatible/chat.ts';
import { switchedEfforts } from '../openai-compatible/efforts.ts';

export const alibaba = openAiCompatible({
  id: 'alibaba',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  keyVariable: 'DASHSCOPE',
  embeddings: { limits: { inputs: 10 }, dimensions: { name: 'dimensions' } },
  members: [
    'asr_options',
    'enable_code_interpreter',
    'enable_search',
    'incremental_output',
    'result_format',
    'search_options',
    'skill',
    'stream_output',
    'top_k',
    'translation_options',
    'vl_high_resolution_images',
  ],
  quirks: {
    cacheMarks: ['cache_control'],
    request: {
      rename: { max_completion_tokens: 'max_tokens' },
      efforts: switchedEfforts({ enable_thinking: true }, { enable_thinking: false }),
      budget: 'thinking_budget',
      toolChoices: ['auto', 'none', 'named'],
      refuse: ['web_search_options'],
    },
    requestWhen: [
      // Open models think by default, but they can do so only in streams.
      { models: /^qwen3-\d+b(-a\d+b)?$/, when: ({ stream }) => !stream, add: { enable_thinking: false } },
      { models: /^qwq|omni/, streamOnly: true },
    ],
    thinkingWithCalls: { as: 'text' },
    errors: {
      data_inspection_failed: 'policy',
      DataInspectionFailed: 'policy',
      InvalidParameter: 'parameters',
      InvalidApiKey: 'key',
      Arrearage: 'money',
      limit_requests: 'limit',
      Throttling: 'limit',
    },
  },
});
