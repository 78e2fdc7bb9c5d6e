import type { Offer } from '@switchyard/contracts';
import type { ChatMessage, ChatRequest } from '@switchyard/wire';
import type { MessageQuirks } from './quirks.ts';

/** Members of our answers in earlier assistant messages: no vendor knows them unless its quirks say so. */
const ownMembers = ['reasoning_content', 'reasoning_details', 'images', 'annotations'];

/** The messages as this vendor wants them. Those in which nothing changes are the client's own objects. */
export function messagesFor(request: ChatRequest, offer: Offer, quirks: MessageQuirks): readonly ChatMessage[] {
  const turn = request.messages.findLastIndex(({ role }) => role === 'user');
  const messages = request.messages.map((message, place) => {
    const kept = [...(quirks.keepInMessages ?? []), ...(place > turn ? (quirks.keepInTurn ?? []) : [])];
    const ours = message.role === 'assistant' ? ownMembers.filter((name) => !kept.includes(name)) : [];
    const clean = without(withArguments(named(message, quirks)), [...ours, ...(quirks.dropInMessages ?? [])]);
    const allowed = quirks.allowInMessages === undefined ? clean : only(clean, [...quirks.allowInMessages, ...kept]);
    const plain = kept.includes('extra_content') ? allowed : withoutExtras(allowed);
    const called = quirks.callId === undefined ? plain : withCallIds(plain, quirks.callId);
    return quirks.message === undefined ? called : quirks.message(called, offer);
  });
  return quirks.arrange === undefined ? messages : quirks.arrange(messages);
}

const named = (message: ChatMessage, { developerRole }: MessageQuirks): ChatMessage =>
  message.role === 'developer' && developerRole !== 'kept' ? { ...message, role: 'system' } : message;

/** Arguments are JSON: vendors that read earlier calls stumble over none at all. */
function withArguments(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant' || !message.tool_calls?.some(lacksArguments)) return message;
  const tool_calls = message.tool_calls.map((call) =>
    lacksArguments(call) ? { ...call, function: { ...call.function, arguments: '{}' } } : call,
  );
  return { ...message, tool_calls };
}

type Call = NonNullable<Extract<ChatMessage, { role: 'assistant' }>['tool_calls']>[number];

const lacksArguments = (call: Call): call is Extract<Call, { type: 'function' }> =>
  call.type === 'function' && call.function.arguments === '';

/** The same object where there is nothing to leave out, else a copy. */
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

/** What another vendor added to its calls is nothing to this one, and strict ones refuse it. */
function withoutExtras(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant' || !message.tool_calls?.some((call) => 'extra_content' in call)) return message;
  return { ...message, tool_calls: message.tool_calls.map(({ extra_content: _extra, ...call }) => call) };
}

function withCallIds(message: ChatMessage, callId: (id: string) => string): ChatMessage {
  if (message.role === 'tool') return { ...message, tool_call_id: callId(message.tool_call_id) };
  if (message.role !== 'assistant' || !message.tool_calls) return message;
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: callId(call.id) })) };
}
