import { openAiErrorBody, invalidRequest, requestedTier } from '@tallyport/sandbox';
import { namedEvent } from '../../event.ts';
import { isGiven, messageMember, refuseMembers, unknownMember, unsupported } from '../../refusals.ts';
import { usageWithDetails } from '../spelling.ts';
import type { Spelling, CompatibleVendor } from '../vendor.ts';

const failedCall = {
  ...invalidRequest(
    "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
    null,
    'tool_use_failed',
  ),
};

const groqMembers = [
  'citation_options',
  'compound_custom',
  'disable_tool_validation',
  'documents',
  'exclude_domains',
  'frequency_penalty',
  'function_call',
  'functions',
  'include_domains',
  'include_reasoning',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'messages',
  'metadata',
  'model',
  'n',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning_effort',
  'reasoning_format',
  'response_format',
  'search_settings',
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

const serviceTiers = new Set<unknown>(['auto', 'flex', 'on_demand', 'performance']);

/** Thinks in `reasoning`, reports the usage twice, and returns the generated text with a failed tool call. */
export const groqVendor: CompatibleVendor = {
  id: 'groq',
  ownMembers: ['reasoning_effort', 'service_tier'],
  refuse: (body) => {
    const unknown = unknownMember(body, groqMembers);
    if (unknown !== undefined) return invalidRequest(`property '${unknown}' is unsupported`, null);
    const tier = body.service_tier ?? 'on_demand';
    if (!serviceTiers.has(tier))
      return invalidRequest("'service_tier' : value must be one of the allowed values", null);
    const refusal = messageMember(body, ['refusal', 'reasoning_content', 'reasoning_details']);
    if (refusal !== undefined) return invalidRequest(`property '${refusal}' is unsupported`, null);
    if (isGiven(body, 'n', 1)) return invalidRequest("'n' : number must be at most 1", 'n');
    const named = messageMember(body, ['name']);
    if (named !== undefined) return unsupported(named);
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
  spell: ({ body, question }) => {
    const tier = requestedTier(question.lastText) ?? tierOf(body.service_tier);
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
      tier,
      answerMembers: { system_fingerprint: 'fp_simulated', service_tier: tier },
      lastMembers: (usageCounts) => ({ x_groq: { id: 'req_simulated', usage: usageCounts } }),
    };
  },
};

/** `auto` takes the best tier that the account has, which is the ordinary one. */
const tierOf = (asked: unknown): string => (typeof asked === 'string' && asked !== 'auto' ? asked : 'on_demand');

const reasonings: Readonly<Record<string, Spelling['reasoning']>> = {
  parsed: 'reasoning',
  raw: 'think',
  hidden: 'hidden',
};
