import { piece, isObject, invalidRequest } from '@tallyport/sandbox';
import { callWithoutReasoning, isThinking, refuseMembers } from '../../refusals.ts';
import { usageWithDetails } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

const keepAlive = piece('comment', ': keep-alive\n\n');

const thinkers = /^deepseek-(v4|flash|reasoner)/;

/**
 * Sends comments and blank lines to waiting clients, does not support schemas, numbers its calls in their ids, and requires
 * the thinking before calls back for ever.
 */
export const deepseekVendor: CompatibleVendor = {
  id: 'deepseek',
  path: /^\/deepseek(?:\/v1|\/beta)?\/chat\/completions$/,
  refuse: (body) => {
    if (isObject(body.response_format) && body.response_format.type === 'json_schema')
      return invalidRequest('This response_format type is unavailable now', null, 'invalid_request_error');
    if (!isThinking(body, thinkers.test(String(body.model)))) return undefined;
    if (callWithoutReasoning(body) === undefined) return refuseMembers(body, ['logprobs', 'top_logprobs']);
    return invalidRequest(
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
      null,
      'invalid_request_error',
    );
  },
  thinksByDefault: thinkers,
  errorTexts: {
    401: {
      message: 'Authentication Fails, Your api key: ****_sim is invalid',
      type: 'authentication_error',
      code: 'invalid_request_error',
    },
    402: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' },
  },
  comment: keepAlive,
  spell: ({ question }) => ({
    toolId: ({ id }, index) => `call_${String(index).padStart(2, '0')}_${id.replace(/^call_/, '')}`,
    usage: (spent) => ({
      ...usageWithDetails(spent),
      prompt_cache_hit_tokens: spent.cacheRead,
      prompt_cache_miss_tokens: spent.fresh + spent.cacheWrite,
    }),
    usagePlace: question.includeUsage ? 'last' : 'asked',
    preamble: { stream: [keepAlive], whole: '\n\n\n' },
  }),
};
