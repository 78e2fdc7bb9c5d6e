import { openAiCompatible } from '../openai-compatible/chat.ts';
import { thinkingSwitch } from '../openai-compatible/efforts.ts';

export const zai = openAiCompatible({
  id: 'zai',
  baseUrl: 'https://api.z.ai/api/paas/v4',
  keyVariable: 'ZAI',
  maxChoices: 1,
  members: ['do_sample', 'request_id', 'sensitive_word_check', 'thinking', 'tool_stream', 'user_id'],
  quirks: {
    request: {
      rename: { max_completion_tokens: 'max_tokens' },
      clamp: { temperature: [0, 1], top_p: [0.01, 1] },
      efforts: thinkingSwitch,
      toolChoices: ['auto'],
      mostStops: 1,
      refuse: ['web_search_options'],
    },
    thinkingWithCalls: { as: 'text' },
    // Arguments are streamed only on request.
    requestWhen: [{ when: ({ stream, request }) => stream && !!request.tools?.length, add: { tool_stream: true } }],
    finishReasons: { sensitive: 'content_filter', network_error: 'fault', model_context_window_exceeded: 'length' },
    errors: {
      '1000': 'key',
      '1001': 'key',
      '1002': 'key',
      '1003': 'key',
      '1004': 'key',
      '1113': 'money',
      '1210': 'parameters',
      '1214': 'parameters',
      '1211': 'model',
      '1261': 'context',
      '1301': 'policy',
      '1302': 'limit',
      '1303': 'limit',
      '1305': 'limit',
    },
  },
});
