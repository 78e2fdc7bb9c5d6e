import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts, switchedEfforts } from '../openai-compatible/efforts.ts';
import { foreignExcept } from '../openai-compatible/foreign-members.ts';
import { members } from '../read.ts';

export const groq = openAiCompatible({
  id: 'groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  keyVariable: 'GROQ',
  sdkAddsVersion: true,
  maxChoices: 1,
  transcriptions: {
    rules: [
      {
        formats: ['json', 'verbose_json'],
        fields: ['language', 'prompt', 'temperature', 'timestamp_granularities[]'],
        translate: true,
      },
    ],
  },
  speech: { formats: { flac: 'flac', mp3: 'mp3', wav: 'wav' }, accepts: ['speed'] },
  members: [
    'citation_options',
    'compound_custom',
    'disable_tool_validation',
    'documents',
    'exclude_domains',
    'include_domains',
    'search_settings',
  ],
  quirks: {
    request: {
      drop: [
        'audio',
        'logit_bias',
        'prediction',
        'prompt_cache_key',
        'prompt_cache_options',
        'prompt_cache_retention',
        'safety_identifier',
        'store',
        'verbosity',
        ...foreignExcept('include_reasoning', 'reasoning_format'),
      ],
      refuse: ['logprobs', 'modalities', 'moderation', 'top_logprobs', 'web_search_options'],
      respell: {
        service_tier: { default: 'on_demand', fast: 'auto', priority: 'performance', scale: 'auto' },
      },
      mostStops: 4,
      efforts: {},
    },
    requestWhen: [
      { models: /qwen/, efforts: switchedEfforts({ reasoning_effort: 'default' }, { reasoning_effort: 'none' }) },
      { models: /gpt-oss/, efforts: knownEfforts('low', 'medium', 'high') },
    ],
    dropInMessages: ['name'],
    thinkingWithCalls: { as: 'text', names: ['reasoning'] },
    usageOf: (body) => members(body.x_groq).usage,
    errors: {
      // The model produced an invalid call, which is not the client's fault.
      tool_use_failed: 'fault',
      // Also with status 413, if one request exceeds the tokens per minute.
      rate_limit_exceeded: 'limit',
    },
  },
});
