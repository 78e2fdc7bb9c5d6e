import { isPlainObject } from '../plain-object.ts';
import { refuseUnsupportedMember } from '../refuse-member.ts';

interface RefusedMember {
  /** Its path. */
  param: string;
  /** Values that change nothing. */
  harmless?: readonly unknown[];
  instead: string;
}

const chatOnly = (instead: string) => `it belongs to chat completions; ${instead}`;

/** What a chat cannot express. Absent and null members are never refused. */
const refusedMembers: readonly RefusedMember[] = [
  {
    param: 'background',
    harmless: [false],
    instead: 'no response is made in the background here; use stream',
  },
  {
    param: 'context_management',
    instead: 'only the models of OpenAI compact while they answer; use /v1/responses/compact',
  },
  { param: 'conversation', instead: 'only a response has one; send its items as input' },
  { param: 'image.context_compression', harmless: ['auto', 'disabled'], instead: 'images are not compressed' },
  { param: 'moderation', instead: 'responses are not moderated on request; leave it out' },
  {
    param: 'prompt',
    instead: 'this gateway stores no prompts and knows no ids of a vendor; send instructions and input',
  },
  { param: 'prompt_cache_options.comparison_response_id', instead: 'responses are not compared; leave it out' },
  {
    param: 'prompt_cache_options.prewarm',
    harmless: [false],
    instead: 'the cache is not prepared ahead; leave it out',
  },
  { param: 'reasoning.mode', harmless: ['standard'], instead: 'only standard is available' },
  { param: 'truncation', harmless: ['disabled'], instead: 'input is not shortened; only disabled is available' },
  { param: 'frequency_penalty', harmless: [0], instead: chatOnly('leave it out') },
  { param: 'logit_bias', instead: chatOnly('leave it out') },
  { param: 'logprobs', instead: chatOnly('use top_logprobs') },
  { param: 'max_completion_tokens', instead: chatOnly('use max_output_tokens') },
  { param: 'max_tokens', instead: chatOnly('use max_output_tokens') },
  { param: 'messages', instead: chatOnly('use input') },
  { param: 'modalities', instead: chatOnly('leave it out') },
  { param: 'n', harmless: [1], instead: chatOnly('a response has one answer') },
  { param: 'presence_penalty', harmless: [0], instead: chatOnly('leave it out') },
  { param: 'reasoning_effort', instead: chatOnly('use reasoning.effort') },
  { param: 'response_format', instead: chatOnly('use text.format') },
  { param: 'seed', instead: chatOnly('leave it out') },
  { param: 'stop', instead: chatOnly('leave it out') },
  { param: 'verbosity', instead: chatOnly('use text.verbosity') },
];

export const refusedNames: readonly string[] = refusedMembers.map(({ param }) => param.split('.', 1)[0] ?? param);

export function refuseUntranslatable(request: unknown): void {
  for (const { param, harmless = [], instead } of refusedMembers) {
    const value = memberAt(request, param.split('.'));
    if (value == null || harmless.includes(value)) continue;
    refuseUnsupportedMember(param, `not supported: ${instead}.`);
  }
}

function memberAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  return isPlainObject(value) ? memberAt(value[name], rest) : undefined;
}
