import type { Offer } from '@tallyport/contracts';
import type { AssistantPart, ChatMessage, ChatRequest } from '@tallyport/wire';
import { isCaller } from '../conversation/calls.ts';
import { lastQuestion, questionsWithCalls } from '../conversation/questions.ts';
import { wholeDetails } from '../fold/reasoning-details.ts';
import type { MessageQuirks } from './quirks.ts';
import { mayThink, type ThinkingWithCalls } from './thinking-memory.ts';

/** Members we add to answers. They are removed from earlier assistant messages unless a vendor's quirks keep them. */
const ownMembers = ['reasoning_content', 'reasoning', 'reasoning_details', 'images', 'annotations', 'content_order'];

/** The messages in the vendor's form. Unchanged messages are the client's own objects. */
export function messagesFor(request: ChatRequest, offer: Offer, quirks: MessageQuirks): readonly ChatMessage[] {
  const keptAt = createKept(request, offer, quirks);
  const messages = request.messages.map((message, place) => treated(message, { quirks, kept: keptAt(place), offer }));
  return quirks.arrange === undefined ? messages : quirks.arrange(messages, offer);
}

/** The members of ours that each message keeps. */
function createKept(
  { messages }: ChatRequest,
  offer: Offer,
  quirks: MessageQuirks,
): (place: number) => readonly string[] {
  const { keepInMessages = [], keepInTurn = [], thinkingWithCalls } = quirks;
  const question = keepInTurn.length === 0 ? messages.length : lastQuestion(messages);
  const isSent = thinkingWithCalls !== undefined && mayThink(thinkingWithCalls, offer);
  const called = isSent ? questionsWithCalls(messages, isCaller) : [];
  const thinking = thinkingWithCalls?.as === 'details' ? 'reasoning_details' : 'reasoning_content';
  return (place) => [
    ...keepInMessages,
    ...(place > question ? keepInTurn : []),
    ...(called[place] === true ? [thinking] : []),
  ];
}

/** How a message is rewritten. */
interface Treatment {
  quirks: MessageQuirks;
  /** The members of ours that are sent back. */
  kept: readonly string[];
  offer: Offer;
}

function treated(message: ChatMessage, { quirks, kept, offer }: Treatment): ChatMessage {
  const { dropInMessages = [], allowInMessages, callId, thinkingWithCalls } = quirks;
  const whole = kept.includes('reasoning_details') ? withWholeDetails(message, thinkingWithCalls) : message;
  const spoken = withArguments(withRefusal(named(whole, quirks), quirks));
  const clean = without(withoutOwn(spoken, kept), dropInMessages);
  const allowed = allowInMessages === undefined ? clean : only(clean, [...allowInMessages, ...kept]);
  const plain = kept.includes('extra_content') ? allowed : withoutExtras(allowed);
  const called = callId === undefined ? plain : withCallIds(plain, callId);
  const spelt = thinkingWithCalls?.names === undefined ? called : withNames(called, thinkingWithCalls.names);
  return quirks.message === undefined ? spelt : quirks.message(spelt, offer);
}

/** Thinking under the vendor's names. */
function withNames(message: ChatMessage, names: readonly string[]): ChatMessage {
  if (message.role !== 'assistant' || message.reasoning_content == null) return message;
  const { reasoning_content: thinking, ...rest } = message;
  return { ...rest, ...Object.fromEntries(names.map((name) => [name, thinking])) };
}

const withoutOwn = (message: ChatMessage, kept: readonly string[]): ChatMessage =>
  message.role === 'assistant'
    ? without(
        message,
        ownMembers.filter((name) => !kept.includes(name)),
      )
    : message;

const named = (message: ChatMessage, { developerRole }: MessageQuirks): ChatMessage =>
  message.role === 'developer' && developerRole !== 'kept' ? { ...message, role: 'system' } : message;

/** A refusal in an earlier turn becomes part of its content. */
function withRefusal(message: ChatMessage, { refusals }: MessageQuirks): ChatMessage {
  if (refusals === 'kept' || message.role !== 'assistant' || !hasRefusal(message)) return message;
  const { refusal, content, ...rest } = message;
  const refused = refusal ?? '';
  if (!Array.isArray(content)) return { ...rest, content: [content, refused].filter(Boolean).join('\n\n') || null };
  return { ...rest, content: [...content.map(asTextPart), ...(refused === '' ? [] : [textPart(refused)])] };
}

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

const hasRefusal = (message: AssistantMessage): boolean =>
  'refusal' in message || (Array.isArray(message.content) && message.content.some(({ type }) => type === 'refusal'));

const textPart = (text: string) => ({ type: 'text' as const, text });

const asTextPart = (part: AssistantPart) => (part.type === 'refusal' ? textPart(part.refusal) : part);

/** Empty arguments become `{}`, because some vendors fail on earlier calls whose arguments are not JSON. */
function withArguments(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant' || !message.tool_calls?.some(lacksArguments)) return message;
  const tool_calls = message.tool_calls.map((call) =>
    lacksArguments(call) ? { ...call, function: { ...call.function, arguments: '{}' } } : call,
  );
  return { ...message, tool_calls };
}

type Call = NonNullable<AssistantMessage['tool_calls']>[number];

const lacksArguments = (call: Call): call is Extract<Call, { type: 'function' }> =>
  call.type === 'function' && call.function.arguments === '';

/** Returns the same object if there is nothing to remove, else a copy. */
function without(message: ChatMessage, names: readonly string[]): ChatMessage {
  if (!names.some((name) => name in message)) return message;
  const copy = { ...message };
  for (const name of names) delete copy[name];
  return copy;
}

const only = (message: ChatMessage, names: readonly string[]): ChatMessage =>
  without(
    message,
    Object.keys(message).filter((name) => name !== 'role' && !names.includes(name)),
  );

/** Joins streamed pieces of thinking, which some clients keep separately, and leaves out those of other vendors. */
function withWholeDetails(message: ChatMessage, { accepts }: Partial<ThinkingWithCalls> = {}): ChatMessage {
  if (message.role !== 'assistant' || !Array.isArray(message.reasoning_details)) return message;
  const whole = wholeDetails(message.reasoning_details, message);
  const details = accepts === undefined || whole.every(accepts) ? whole : whole.filter(accepts);
  if (details === message.reasoning_details) return message;
  return details.length === 0 ? without(message, ['reasoning_details']) : { ...message, reasoning_details: details };
}

/** Removes members another vendor added to its calls, which strict vendors refuse. */
function withoutExtras(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant' || !message.tool_calls?.some((call) => 'extra_content' in call)) return message;
  return { ...message, tool_calls: message.tool_calls.map(({ extra_content: _extra, ...call }) => call) };
}

function withCallIds(message: ChatMessage, callId: (id: string) => string): ChatMessage {
  if (message.role === 'tool') return { ...message, tool_call_id: callId(message.tool_call_id) };
  if (message.role !== 'assistant' || !message.tool_calls) return message;
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: callId(call.id) })) };
}
