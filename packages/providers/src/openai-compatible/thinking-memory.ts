import type { Offer } from '@tallyport/contracts';
import type { ChatMessage } from '@tallyport/wire';
import { isCaller } from '../conversation/calls.ts';
import type { AssistantMessage } from '../conversation/conversation.ts';
import { detailsName, type PlacedName } from '../spec/call-signatures.ts';
import type { CallSignatureRules, ChatCall, TranslationContext } from '../spec/provider.ts';
import { longestPiece } from '../fold/reasoning-details.ts';
import { items, text } from '../read.ts';
import { isSwitchedOff } from './efforts.ts';

/**
 * How a vendor takes back the thinking that led to calls. OpenAI's clients do not send it, so it is remembered, under the
 * id of the message's first call.
 */
export interface ThinkingWithCalls {
  /** `text`: as plain text. `details`: as `reasoning_details`. */
  as: 'text' | 'details';
  /** The vendor's names for the text. Defaults to `reasoning_content`. */
  names?: readonly string[];
  /** Present if the vendor, while it thinks, refuses requests in which a message with calls lacks the text. */
  required?: RequiredThinking;
  /** False for whole details that another vendor made and this one refuses. */
  accepts?(detail: unknown): boolean;
  /** A detail for plain thinking, of vendors that sign nothing. */
  plain?(thinking: string): unknown;
}

interface RequiredThinking {
  /** The models that require it; all if absent. */
  models?: RegExp;
  /** The form of the vendor's own call ids. Behind any other one is another vendor's call, which has no thinking to lose. */
  ownIds: RegExp;
  /** What the vendor accepts in place of thinking that there never was. */
  none: string;
}

export const thinkingRules = (rules: ThinkingWithCalls): CallSignatureRules => ({
  missingIn: ({ messages }, offer) => (mayThink(rules, offer) ? missingThinking(messages, rules) : []),
  fromThinking: ({ request }, offer) => mayThink(rules, offer) && (request.tools?.length ?? 0) > 0,
});

/** Where thinking is required, a model may think although the catalogue does not say so. */
export const mayThink = ({ required }: ThinkingWithCalls, { reasoning }: Offer): boolean =>
  required !== undefined || reasoning;

/** Whether the thinking before any call is lost. The vendor then has to continue without thinking. */
export const lacksThinking = ({ request }: ChatCall): boolean =>
  request.messages.some((message) => isCaller(message) && typeof message.reasoning_content !== 'string');

const missingThinking = (messages: readonly ChatMessage[], rules: ThinkingWithCalls): PlacedName[] =>
  messages.flatMap((message, place) =>
    isCaller(message) && lacks(message, rules) ? [{ place, name: nameOf(message, rules) }] : [],
  );

/** The call with the thinking that the vendor needs, as far as it is known; the same object if nothing changes. */
export function recalledCall(call: ChatCall, rules: ThinkingWithCalls, { modelName }: Offer): ChatCall {
  const { request, signatures } = call;
  const { required } = rules;
  const needed = required?.models?.test(modelName) === false || isSwitchedOff(call) ? undefined : required;
  let changed = false;
  const messages = request.messages.map((message, place) => {
    if (!isCaller(message)) return message;
    const recalled = lacks(message, rules) ? signatures?.get(place, nameOf(message, rules)) : undefined;
    const whole = rules.as === 'details' ? withDetails(message, recalled, rules) : withText(message, recalled, needed);
    changed ||= whole !== message;
    return whole;
  });
  return changed ? { ...call, request: { ...request, messages } } : call;
}

function withDetails(
  message: AssistantMessage,
  recalled: string | undefined,
  rules: ThinkingWithCalls,
): AssistantMessage {
  if (recalled !== undefined) return { ...message, reasoning_details: items(JSON.parse(recalled)) };
  const thinking = textOf(message);
  if (thinking === undefined || rules.plain === undefined || hasDetails(message, rules)) return message;
  return { ...message, reasoning_details: [rules.plain(thinking)] };
}

function withText(
  message: AssistantMessage,
  recalled: string | undefined,
  required: RequiredThinking | undefined,
): AssistantMessage {
  const sent = textOf(message);
  // A client may have kept only the last piece. An empty text of a client proves nothing, a remembered one does.
  const known = recalled?.endsWith(sent ?? '') === true ? recalled : sent;
  const isNone = known === '' || (known === undefined && required !== undefined && isForeign(message, required));
  const thinking = isNone ? (required?.none ?? known) : known;
  if (message.reasoning_content === thinking) return message;
  const { reasoning_content: _sent, ...rest } = message;
  return thinking === undefined ? rest : { ...rest, reasoning_content: thinking };
}

/** Ids like `call_1` prove nothing: clients of some APIs leave ids out, and the calls are numbered then. */
function isForeign({ tool_calls: calls }: AssistantMessage, { ownIds }: RequiredThinking): boolean {
  const id = calls?.[0]?.id ?? '';
  return !ownIds.test(id) && !/^(?:call_\d*)?$/.test(id);
}

/** What one complete choice has of thinking and calls. */
interface CallThinking {
  /** Id of the first call. */
  callId: string | undefined;
  thinking: string | undefined;
  details: readonly unknown[];
}

export function keepThinking(
  { callId, thinking, details }: CallThinking,
  rules: ThinkingWithCalls,
  { offer, keepSignature }: TranslationContext,
): void {
  if (callId === undefined || keepSignature === undefined) return;
  if (thinking !== undefined) keepSignature(callId, thinking);
  // The vendor wants to hear that it called without a thought, also if its thinking was switched off then.
  else if (rules.required !== undefined && offer.reasoning) keepSignature(callId, '');
  if (rules.as === 'details' && details.length > 0) keepSignature(detailsName(callId), JSON.stringify(details));
}

/** Also true for thinking that may be a piece only. */
function lacks(message: AssistantMessage, rules: ThinkingWithCalls): boolean {
  if (rules.as === 'text') return (textOf(message)?.length ?? 0) <= longestPiece;
  const { accepts = () => true } = rules;
  const details = items(message.reasoning_details).filter(accepts);
  return JSON.stringify(details).length <= longestPiece;
}

const hasDetails = (message: AssistantMessage, { accepts = () => true }: ThinkingWithCalls): boolean =>
  items(message.reasoning_details).some(accepts);

/** Some clients keep it under the name that OpenRouter uses. */
const textOf = ({ reasoning_content: thinking, reasoning }: AssistantMessage): string | undefined =>
  text(thinking) ?? text(reasoning);

function nameOf({ tool_calls: calls }: AssistantMessage, { as }: ThinkingWithCalls): string {
  const firstCall = calls?.[0]?.id ?? '';
  return as === 'text' ? firstCall : detailsName(firstCall);
}
