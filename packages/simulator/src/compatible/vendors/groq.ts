import { openAiErrorBody, objectsOf, invalidRequest } from '@switchyard/sandbox';
import { namedEvent } from '../../event.ts';
import { isGiven, refuseMembers, unsupported } from '../refusals.ts';
import { usageWithDetails } from '../spelling.ts';
import type { Spelling, CompatibleVendor } from '../vendor.ts';

const failedCall = {
  ...invalidRequest(
    "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
    null,
    'tool_use_failed',
  ),
};

/** Thinks in `reasoning`, reports the usage twice, and fails tool calls with what it had generated. */
export const groqVendor: CompatibleVendor = {
  id: 'groq',
  ownMembers: ['reasoning_effort', 'service_tier'],
  refuse: (body) => {
    if (isGiven(body, 'n', 1)) return invalidRequest("'n' : number must be at most 1", 'n');
    const named = objectsOf(body.messages).findIndex(({ name }) => name !== undefined);
    if (named >= 0) return unsupported(`messages.${named}.name`);
    const refused = refuseMembers(body, ['logprobs', 'top_logprobs', 'logit_bias']);
    return (
      refused ??
      (body.stream !== true && JSON.stringify(body.messages).includes('[failed-call]') ? failedCall : undefined)
    );
  },
  errorBody: (error) => ({
    error: {
      ...openAiErrorBody(error).error,
      ...(error.code === failedCall.code && { failed_generation: '<function=simulated>{' }),
    },
  }),
  midStream: [
    namedEvent('error', 'error', {
      error: { ...openAiErrorBody(failedCall).error, failed_generation: '<function=simulated>{', status_code: 400 },
    }),
  ],
  spell: ({ body }) => {
    const usage: Spelling['usage'] = (spent) => ({
      ...usageWithDetails(spent),
      queue_time: 0.01,
      prompt_time: 0.002,
      completion_time: 0.1,
      total_time: 0.112,
    });
    return {
      reasoning: reasonings[String(body.reasoning_format ?? 'parsed')] ?? 'reasoning',
      usage,
      usagePlace: 'last',
      deltaMembers: String(body.model).includes('gpt-oss') ? { channel: 'analysis' } : {},
      answerMembers: { system_fingerprint: 'fp_simulated' },
      lastMembers: (told) => ({ x_groq: { id: 'req_simulated', usage: told } }),
    };
  },
};

const reasonings: Readonly<Record<string, Spelling['reasoning']>> = {
  parsed: 'reasoning',
  raw: 'think',
  hidden: 'hidden',
};
