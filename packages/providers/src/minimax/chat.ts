import { openAiCompatible } from '../openai-compatible/chat.ts';
import { isMembers, type Members } from '../read.ts';

/** Errors come with a good status, told beside an answer that is empty. */
function baseResponse({ base_resp: told }: Members): unknown {
  if (!isMembers(told) || told.status_code === 0 || told.status_code === undefined) return undefined;
  return { message: told.status_msg, code: told.status_code };
}

export const minimax = openAiCompatible({
  id: 'minimax',
  baseUrl: 'https://api.minimax.io/v1',
  keyVariable: 'MINIMAX',
  maxChoices: 1,
  quirks: {
    // Otherwise thinking is printed into the content.
    request: { rename: { max_completion_tokens: 'max_tokens' }, efforts: {}, add: { reasoning_split: true } },
    keepInMessages: ['reasoning_details'],
    hiddenError: baseResponse,
    errors: { '1002': 'limit', '1004': 'key', '1008': 'money', '1039': 'limit', '2013': 'parameters' },
  },
});
