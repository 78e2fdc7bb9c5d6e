import { invalidRequest } from '@tallyport/sandbox';
import { messageMember, refuseMembers, unknownMember } from '../../refusals.ts';
import type { CompatibleVendor } from '../vendor.ts';

const members = [
  'clear_thinking',
  'disable_reasoning',
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'model',
  'n',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'reasoning_effort',
  'reasoning_format',
  'response_format',
  'seed',
  'service_tier',
  'stop',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'user',
];

/** Errors are not nested; times are fractions of a second. */
export const cerebrasVendor: CompatibleVendor = {
  id: 'cerebras',
  refuse: (body) => {
    const unknown =
      unknownMember(body, members) ?? messageMember(body, ['reasoning_content', 'reasoning', 'reasoning_details']);
    return unknown === undefined
      ? refuseMembers(body, ['frequency_penalty', 'presence_penalty', 'logit_bias', 'service_tier'])
      : invalidRequest(
          `body.${unknown}: property 'body.${unknown}' is unsupported`,
          'validation_error',
          'wrong_api_format',
        );
  },
  errorTexts: {
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
