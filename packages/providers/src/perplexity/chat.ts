import { openAiCompatible } from '../openai-compatible/chat.ts';
import { knownEfforts } from '../openai-compatible/efforts.ts';
import { members, finiteNumber } from '../read.ts';
import { alternating } from './alternating.ts';

export const perplexity = openAiCompatible({
  id: 'perplexity',
  baseUrl: 'https://api.perplexity.ai',
  keyVariable: 'PERPLEXITY',
  maxChoices: 1,
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
