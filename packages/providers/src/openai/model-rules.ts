import type { Offer } from '@tallyport/contracts';
import { requestedThinking } from '../conversation/requested-thinking.ts';
import type { ConditionalRules } from '../openai-compatible/request-rules.ts';
import type { ChatCall } from '../spec/provider.ts';

/**
 * From these models on, function tools and reasoning are combined only in the Responses API; with tools the effort is
 * `none`.
 */
const toolsWithoutReasoning = /(^|\/)gpt-(5\.[4-9](?!-chat)|6)/;

const stopsReasoning = ({ reasoningEfforts }: Offer): boolean => reasoningEfforts?.includes('none') ?? true;

const mustChoose = ({ request }: ChatCall, offer: Offer): boolean =>
  offer.reasoning &&
  (request.tools?.length ?? 0) + (request.functions?.length ?? 0) > 0 &&
  toolsWithoutReasoning.test(offer.modelName);

const callsInstead = (call: ChatCall, offer: Offer): boolean => mustChoose(call, offer) && stopsReasoning(offer);

/** Models that refuse effort `none` call functions only in the Responses API. */
const cannotCall = (call: ChatCall, offer: Offer): boolean => mustChoose(call, offer) && !stopsReasoning(offer);

/** Whether the model will reason. Only effort `none` prevents it, and not every model supports that effort. */
const reasons = (call: ChatCall, offer: Offer): boolean =>
  offer.reasoning &&
  !callsInstead(call, offer) &&
  !(requestedThinking(call.request)?.effort === 'none' && stopsReasoning(offer));

const hints = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'];

export const openaiModelRules: readonly ConditionalRules[] = [
  { when: reasons, drop: hints, refuse: ['logprobs', 'top_logprobs'] },
  // Also with effort `none`.
  { models: /^(?!o1)/, when: (_call, offer) => offer.reasoning, refuse: ['stop'] },
  { when: callsInstead, add: { reasoning_effort: 'none' } },
  { when: cannotCall, refuse: ['tools', 'functions'] },
  { when: (_call, offer) => !offer.reasoning, drop: ['verbosity'] },
  { models: /^o\d/, drop: ['verbosity'] },
  { models: /^(?!.*search)/, refuse: ['web_search_options'] },
];
