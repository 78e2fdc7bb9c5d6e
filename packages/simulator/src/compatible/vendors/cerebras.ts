import { refuseMembers } from '../refusals.ts';
import type { CompatibleVendor } from '../vendor.ts';

/** Errors are not nested; times are fractions of a second. */
export const cerebrasVendor: CompatibleVendor = {
  id: 'cerebras',
  refuse: (body) => refuseMembers(body, ['frequency_penalty', 'presence_penalty', 'logit_bias', 'service_tier']),
  words: {
    401: { message: 'Wrong API Key', type: 'invalid_request_error', code: 'wrong_api_key', param: 'api_key' },
    429: {
      message: "We're experiencing high traffic right now! Please try again soon.",
      type: 'too_many_requests_error',
      code: 'queue_exceeded',
      param: 'queue',
    },
  },
  errorBody: ({ message, type, param, code }) => ({ message, type, param, code }),
  spell: () => ({
    reasoning: 'reasoning',
    usagePlace: 'last',
    answerMembers: {
      system_fingerprint: 'fp_simulated',
      time_info: {
        queue_time: 0.0002,
        prompt_time: 0.001,
        completion_time: 0.01,
        total_time: 0.0114,
        created: 1_767_225_600.123,
      },
    },
  }),
};
