import { openAiCompatible } from '../openai-compatible/chat.ts';

export const fireworks = openAiCompatible({
  id: 'fireworks',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  keyVariable: 'FIREWORKS',
  sdkAddsVersion: true,
  decisions: { format: 'openai' },
  embeddings: { dimensions: { name: 'dimensions' } },
  members: [
    'context_length_exceeded_behavior',
    'echo_last',
    'grammar',
    'ignore_eos',
    'length_penalty',
    'mirostat_lr',
    'mirostat_target',
    'perf_metrics_in_response',
    'prompt_cache_isolation_key',
    'prompt_truncate_len',
    'raw_output',
    'reasoning_history',
    'return_token_ids',
    'speculation',
  ],
  quirks: {
    request: { rename: { max_completion_tokens: 'max_tokens' }, mostStops: 4, refuse: ['web_search_options'] },
    thinkingWithCalls: { as: 'text' },
  },
});
