import type { Offer } from '@tallyport/contracts';
import type { ChatCall } from '../spec/provider.ts';
import { offersTools, reasons, stopsReasoning } from './asks-responses.ts';
import type { ConditionalRules } from '../openai-compatible/request-rules.ts';

const hints = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'];

/** What holds for every API of the vendor. */
export const openaiModelRules: readonly ConditionalRules[] = [
  { when: ({ request }, offer) => reasons(request, offer), drop: hints, refuse: ['logprobs', 'top_logprobs'] },
  // Also with effort `none`.
  { models: /^(?!o1)/, when: (_call, offer) => offer.reasoning, refuse: ['stop'] },
  { when: (_call, offer) => !offer.reasoning, drop: ['verbosity'] },
  { models: /^o\d/, drop: ['verbosity'] },
  { models: /^(?!.*search)/, refuse: ['web_search_options'] },
];

/** From these models on, the chat API calls functions only without reasoning. */
const callsWithoutReasoning = /(^|\/)gpt-(5\.[4-9](?!-chat)|6)/;

const reasonsWithTools = ({ request }: ChatCall, offer: Offer): boolean =>
  offersTools(request) && reasons(request, offer);

/** What holds for chats that cannot be asked for in the Responses API. */
export const openaiChatRules: readonly ConditionalRules[] = [
  {
    models: callsWithoutReasoning,
    when: (call, offer) => reasonsWithTools(call, offer) && stopsReasoning(offer),
    add: { reasoning_effort: 'none' },
  },
  {
    models: callsWithoutReasoning,
    when: (call, offer) => reasonsWithTools(call, offer) && !stopsReasoning(offer),
    refuse: ['tools', 'functions'],
  },
];
