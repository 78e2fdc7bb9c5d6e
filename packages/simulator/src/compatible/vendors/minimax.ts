import { invalidRequest, jsonReply } from '@tallyport/sandbox';
import { compatibleUsage } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

/** Reports most errors with status 200, in a member that every answer has. */
export const minimaxVendor: CompatibleVendor = {
  id: 'minimax',
  refuse: ({ temperature }) =>
    typeof temperature === 'number' && !(temperature > 0 && temperature <= 1)
      ? invalidRequest('invalid params, temperature should be in (0.0, 1.0]', 'temperature')
      : undefined,
  errorBody: ({ message, type, code }) => ({ type: 'error', error: { type, message, code } }),
  errorReply: ({ status, message }) => {
    const code = codes[status];
    if (code === undefined) return undefined;
    return jsonReply(200, { id: 'simulated', choices: null, base_resp: { status_code: code, status_msg: message } });
  },
  spell: ({ body }) => ({
    reasoning: body.reasoning_split === true ? 'hidden' : 'think',
    usage: compatibleUsage,
    usagePlace: 'last',
    ...(body.reasoning_split === true && {
      reasoningDetail: ({ text }) => ({
        type: 'reasoning.text',
        id: 'reasoning-text-1',
        format: 'MiniMax-response-v1',
        index: 0,
        text,
      }),
    }),
    answerMembers: { input_sensitive: false, output_sensitive: false, base_resp: { status_code: 0, status_msg: '' } },
  }),
};

const codes: Readonly<Record<number, number>> = { 400: 2013, 401: 1004, 402: 1008, 413: 1039, 429: 1002 };
