import { promptTokenCount, hasDirective } from '@tallyport/sandbox';
import { product } from '../../bill/decimal.ts';
import { refuseMembers } from '../../refusals.ts';
import type { CompatibleVendor } from '../vendor.ts';

const ticksPerDollar = '10000000000';

/** Counts reasoning separately from the completion, and reports errors as two strings. */
export const xaiVendor: CompatibleVendor = {
  id: 'xai',
  refuse: (body) => {
    const model = String(body.model);
    const reasons = /^grok-(4|3-mini)/.test(model) && !model.includes('non-reasoning');
    const effort = /^grok-(3-mini|4\.[3-9])/.test(model) ? [] : ['reasoning_effort'];
    return refuseMembers(body, [...(reasons ? ['presence_penalty', 'frequency_penalty', 'stop'] : []), ...effort]);
  },
  errorTexts: {
    400: { code: 'Client specified an invalid argument' },
    401: {
      code: 'The caller does not have valid authentication credentials',
      message: 'Incorrect API key provided: si***.',
    },
    429: { code: 'Some resource has been exhausted', message: 'Too many requests.' },
  },
  errorBody: ({ code, message }) => ({ code: code ?? 'Some requested entity was not found', error: message }),
  spell: ({ question }) => ({
    usage: (spent, billed) => ({
      prompt_tokens: promptTokenCount(spent),
      completion_tokens: spent.visible,
      total_tokens: promptTokenCount(spent) + spent.visible + spent.reasoning,
      prompt_tokens_details: {
        text_tokens: promptTokenCount(spent),
        audio_tokens: 0,
        image_tokens: 0,
        cached_tokens: spent.cacheRead,
      },
      completion_tokens_details: {
        reasoning_tokens: spent.reasoning,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
      num_sources_used: 0,
      cost_in_usd_ticks: Number(product(billed('default'), ticksPerDollar)),
    }),
    answerMembers: {
      system_fingerprint: 'fp_simulated',
      ...(hasDirective(question.lastText, 'citations') && {
        citations: ['https://example.com/one', 'https://example.com/two'],
      }),
    },
  }),
};
