import type { Offer } from '@tallyport/contracts';
import type { ChatCall, ChatProvider } from '../../spec/provider.ts';
import { functionsAsTools } from '../functions-as-tools.ts';
import { firstUnsupported } from '../request.ts';
import type { Quirks } from '../quirks.ts';
import { type ConditionalRules, createRulesOf } from '../request-rules.ts';
import { type ThinkingWithCalls, thinkingRules } from '../thinking-memory.ts';
import { usualNames } from '../../tool-names/tool-names.ts';
import { withAcceptedNames } from '../../tool-names/with-accepted-names.ts';
import type { OpenAiVendor } from '../vendor.ts';
import { askedResponse } from './asked-response.ts';
import { createResponseChatStream, responseAsCompletion } from './chat-answer.ts';
import { lacksResponses } from './native.ts';
import { isSealedBy } from './sealed-thoughts.ts';

/** How a vendor is asked for chats in its Responses API. */
export interface ChatsAsResponses {
  asks(call: ChatCall, offer: Offer): boolean;
  /** Further rules for all other chats. */
  otherRules: readonly ConditionalRules[];
}

/** With the rules of chats that are not asked for there. */
export const quirksOfOthers = (quirks: Quirks, { chats }: { chats?: ChatsAsResponses } = {}): Quirks =>
  chats === undefined ? quirks : { ...quirks, requestWhen: [...(quirks.requestWhen ?? []), ...chats.otherRules] };

/** A provider that asks for some chats in the Responses API, and for all others in its own. */
export function withEitherApi(chats: ChatProvider, vendor: OpenAiVendor, asks: ChatsAsResponses['asks']): ChatProvider {
  const thinking: ThinkingWithCalls = { as: 'details', accepts: isSealedBy(vendor.id) };
  const responses = responsesProvider(chats, vendor, thinking);
  const { missingIn } = thinkingRules(thinking);
  const either = (call: ChatCall, offer: Offer): ChatProvider => (asks(call, offer) ? responses : chats);
  return {
    ...chats,
    callSignatures: {
      missingIn: (request, offer) => (asks({ request, stream: false }, offer) ? missingIn(request, offer) : []),
      fromThinking: asks,
    },
    hasOneChoice: asks,
    instead: (error) => (lacksResponses(error) ? chats : undefined),
    unsupported: (call, offer) => either(call, offer).unsupported?.(call, offer),
    request: (call, offer) => either(call, offer).request(call, offer),
    response: (body, context) => either(context.call, context.offer).response(body, context),
    stream: (context) => either(context.call, context.offer).stream(context),
  };
}

function responsesProvider(chats: ChatProvider, { id, quirks }: OpenAiVendor, thinking: ThinkingWithCalls) {
  const vendor: OpenAiVendor = {
    id,
    quirks: { ...quirks, keepInMessages: ['reasoning_details'], thinkingWithCalls: thinking },
  };
  const rulesOf = createRulesOf(vendor.quirks);
  const provider: ChatProvider = {
    ...chats,
    unsupported: (call, offer) => firstUnsupported(vendor.quirks, call, rulesOf(call, offer)),
    request: (call, offer) => askedResponse({ call, offer, vendor, rulesOf }),
    response: (body, context) => responseAsCompletion(body, { ...context, vendor }),
    stream: (context) => createResponseChatStream({ ...context, vendor }),
  };
  return functionsAsTools(withAcceptedNames(provider, usualNames));
}
