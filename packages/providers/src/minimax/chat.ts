import { openAiCompatible } from '../openai-compatible/chat.ts';
import { isMembers, type Members, members } from '../read.ts';

/** The vendor reports errors with status 200, beside an empty answer. */
function baseResponse({ base_resp: response }: Members): unknown {
  if (!isMembers(response) || response.status_code === 0 || response.status_code === undefined) return undefined;
  return { message: response.status_msg, code: response.status_code };
}

/** Details of other vendors are signed or encrypted, and only their makers can read them. */
function isUnsignedText(detail: unknown): boolean {
  const { type, signature } = members(detail);
  return type === 'reasoning.text' && signature === undefined;
}

const toDetail = (text: string) => ({ type: 'reasoning.text', format: 'MiniMax-response-v1', index: 0, text });

export const minimax = openAiCompatible({
  id: 'minimax',
  baseUrl: 'https://api.minimax.io/v1',
  keyVariable: 'MINIMAX',
  keyCheckPath: 'none',
  maxChoices: 1,
  members: ['mask_sensitive_info', 'tokens_to_generate'],
  quirks: {
    request: {
      rename: { max_completion_tokens: 'max_tokens' },
      efforts: {},
      // Greater than 0 and at most 1.
      clamp: { temperature: [0.01, 1] },
      refuse: ['web_search_options'],
      // Without this the model writes its thinking into the content.
      add: { reasoning_split: true },
    },
    keepInMessages: ['reasoning_details'],
    thinkingWithCalls: { as: 'details', accepts: isUnsignedText, plain: toDetail },
    hiddenError: baseResponse,
    errors: { '1002': 'limit', '1004': 'key', '1008': 'money', '1039': 'limit', '2013': 'parameters' },
  },
});
