import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts } from '../openai-compatible/efforts.ts';
import { members, finiteNumber } from '../read.ts';
import { alternating } from './alternating.ts';

export const perplexity = openAiCompatible({
  id: 'perplexity',
  baseUrl: 'https://api.perplexity.ai',
  keyVariable: 'PERPLEXITY',
  keyCheckPath: 'none',
  maxChoices: 1,
  members: [
    'country',
    'disable_search',
    'enable_search_classifier',
    'image_domain_filter',
    'image_format_filter',
    'language_preference',
    'last_updated_after_filter',
    'last_updated_before_filter',
    'latitude',
    'longitude',
    'media_response',
    'num_images',
    'num_search_results',
    'return_images',
    'return_related_questions',
    'search_after_date_filter',
    'search_before_date_filter',
    'search_domain_filter',
    'search_language_filter',
    'search_mode',
    'search_recency_filter',
    'stream_mode',
    'updated_after_timestamp',
  ],
  quirks: {
    request: {
      rename: { max_completion_tokens: 'max_tokens' },
      refuse: ['tools', 'functions'],
      drop: ['tool_choice', 'parallel_tool_calls'],
      efforts: {},
    },
    requestWhen: [{ models: /^sonar-reasoning/, efforts: knownEfforts('minimal', 'low', 'medium', 'high') }],
    arrange: alternating,
    streamUsage: 'unasked',
    thinking: 'tags',
    sources: 'answer',
    usage(usage, raw) {
      const cost = finiteNumber(members(raw.cost).total_cost);
      return cost === undefined ? usage : { ...usage, cost };
    },
  },
});
