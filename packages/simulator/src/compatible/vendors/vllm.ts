import { invalidRequest } from '@switchyard/sandbox';
import { streamOption, compatibleUsage } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

/** Spells out every member it has nothing to say in; tools need flags at its start. */
export const vllmVendor: CompatibleVendor = {
  id: 'vllm',
  credential: 'none',
  refuse: ({ model, tools, tool_choice: choice }) =>
    String(model).includes('no-tools') && Array.isArray(tools) && choice !== 'none'
      ? invalidRequest('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', null)
      : undefined,
  errorBody: ({ status, message, param }) => ({
    error: { message, type: types[status] ?? 'InternalServerError', param, code: status },
  }),
  spell: (asked) => ({
    reasoning: 'reasoning',
    usage: (spent) => ({ ...compatibleUsage(spent), prompt_tokens_details: null }),
    usagePlace: streamOption(asked, 'continuous_usage_stats') ? 'every' : 'asked',
    messageMembers: () =>
      asked.question.stream ? {} : { refusal: null, annotations: null, audio: null, function_call: null },
    choiceMembers: { logprobs: null, stop_reason: null, token_ids: null },
    answerMembers: asked.question.stream
      ? {}
      : {
          service_tier: null,
          system_fingerprint: null,
          prompt_logprobs: null,
          prompt_token_ids: null,
          kv_transfer_params: null,
        },
  }),
};

const types: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  404: 'NotFoundError',
  503: 'ServiceUnavailableError',
};
