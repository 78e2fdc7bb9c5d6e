import { invalidRequest } from '@tallyport/sandbox';
import { callInPieces, usageWithDetails, wholeCall } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

/** Repeats its role in every delta, streams arguments only on request, and numbers its errors. */
export const zaiVendor: CompatibleVendor = {
  id: 'zai',
  path: /^\/zai\/api\/(?:coding\/)?paas\/v4\/chat\/completions$/,
  ownMembers: ['stop', 'tool_choice'],
  refuse: ({ stop, temperature, top_p: topP, tool_choice: choice }) => {
    const refuse = (message: string) => invalidRequest(message, null, '1210');
    if (choice !== undefined && choice !== 'auto') return refuse('tool_choice only supports auto');
    if (typeof temperature === 'number' && temperature > 1) return refuse('temperature must be in [0.0, 1.0]');
    if (typeof topP === 'number' && topP < 0.01) return refuse('top_p must be in [0.01, 1.0]');
    const stops = Array.isArray(stop) ? stop.length : 0;
    return stops > 1 || typeof stop === 'string' ? refuse('stop must be an array with one entry') : undefined;
  },
  errorTexts: {
    400: { message: 'Invalid API parameter, please check the documentation.', code: '1210' },
    401: { message: 'Authentication parameter not received in header, unable to authenticate', code: '1001' },
    404: { message: 'Unknown Model, please check the model code.', code: '1211' },
    429: {
      message: 'High concurrency usage of this API, please reduce concurrency or contact customer service.',
      code: '1302',
    },
    500: { message: 'Internal network error.', code: '500' },
  },
  errorBody: ({ code, message, status }) => ({ error: { code: code ?? String(status), message } }),
  spell: ({ body }) => ({
    usage: usageWithDetails,
    usagePlace: 'last',
    deltaMembers: { role: 'assistant' },
    toolDeltas: body.tool_stream === true ? callInPieces : wholeCall,
    finishReason: ({ finishReason }) => (finishReason === 'refusal' ? 'sensitive' : finishReason),
    answerMembers: { request_id: 'simulated', ...(body.stream !== true && { web_search: [] }) },
  }),
};
