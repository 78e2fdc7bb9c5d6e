import { invalidRequest, objectsOf } from '@tallyport/sandbox';
import { streamOption, compatibleUsage } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';
import { orderOfMistrals } from './mistral-order.ts';

/** Sends every member, null if it is empty; tools require flags when the server starts. */
export const vllmVendor: CompatibleVendor = {
  id: 'vllm',
  credential: 'none',
  refuse: ({ model, messages, tools, tool_choice: choice }) =>
    String(model).includes('no-tools') && Array.isArray(tools) && choice !== 'none'
      ? invalidRequest('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', null)
      : orderOfMistrals(model, objectsOf(messages)),
  errorBody: ({ status, message, param }) => ({
    error: { message, type: types[status] ?? 'InternalServerError', param, code: status },
  }),
  lists: [
    {
      id: 'meta-llama/Llama-3.3-70B-Instruct',
      object: 'model',
      created: 1_767_225_600,
      owned_by: 'vllm',
      root: 'meta-llama/Llama-3.3-70B-Instruct',
      parent: null,
      max_model_len: 32_768,
    },
  ],
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
