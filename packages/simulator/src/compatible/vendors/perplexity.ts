import {
  openAiErrorBody,
  jsonReply,
  piece,
  objectsOf,
  type JsonObject,
  invalidRequest,
  type ApiError,
} from '@tallyport/sandbox';
import { refuseMembers } from '../../refusals.ts';
import { compatibleUsage } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

const url = 'https://example.com/one';

/** Searches, cites, reports usage on every chunk, does not support tools, and refuses keys with HTML. */
export const perplexityVendor: CompatibleVendor = {
  id: 'perplexity',
  refuse: (body) => refuseMembers(body, ['tools', 'tool_choice']) ?? checkOrder(body),
  errorTexts: { 400: { type: 'invalid_message' } },
  errorBody: (error) => ({ error: { ...openAiErrorBody(error).error, code: error.status } }),
  errorReply: ({ status }) =>
    status === 401
      ? {
          ...jsonReply(401, null, { 'content-type': 'text/html' }),
          pieces: [piece('body', '<html>\r\n<head><title>401 Authorization Required</title></head>\r\n</html>\r\n')],
        }
      : undefined,
  spell: ({ question }) => ({
    reasoning: question.model.includes('reasoning') ? 'think' : 'hidden',
    usagePlace: 'every',
    usage: (spent) => ({
      ...compatibleUsage(spent),
      search_context_size: 'low',
      ...(spent.reasoning > 0 && { citation_tokens: 12, num_search_queries: 1, reasoning_tokens: spent.reasoning }),
      cost: { input_tokens_cost: 0, output_tokens_cost: 0, request_cost: 0.005, total_cost: 0.005 },
    }),
    answerMembers: {
      citations: [url],
      search_results: [{ url, title: 'The first source', date: '2026-01-01', snippet: 'One thing is so.' }],
      images: [],
    },
  }),
};

/** After system messages, user and assistant messages must alternate, with the user's last. */
function checkOrder({ messages }: JsonObject): ApiError | undefined {
  const roles = objectsOf(messages).map(({ role }) => role);
  const start = roles.findIndex((role) => role !== 'system');
  const turns = roles.slice(start);
  const wrong = turns.some((role, index) => role !== (index % 2 === 0 ? 'user' : 'assistant'));
  if (wrong)
    return invalidRequest(
      'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).',
      null,
    );
  return turns.at(-1) === 'user' ? undefined : invalidRequest('Last message must have role `user`.', null);
}
