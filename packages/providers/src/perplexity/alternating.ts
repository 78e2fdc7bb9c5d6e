import type { ChatMessage } from '@tallyport/wire';

type User = Extract<ChatMessage, { role: 'user' }>;
type Assistant = Extract<ChatMessage, { role: 'assistant' }>;

/** User and assistant messages must alternate: neighbours of the same role are joined. */
export function alternating(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const joined = last === undefined ? undefined : joinedMessage(last, message);
    if (joined === undefined) turns.push(message);
    else turns[turns.length - 1] = joined;
  }
  return turns;
}

function joinedMessage(first: ChatMessage, second: ChatMessage): ChatMessage | undefined {
  if (first.role === 'user' && second.role === 'user') {
    return { ...first, content: joinedText(first, second) ?? [...userParts(first), ...userParts(second)] };
  }
  if (first.role === 'assistant' && second.role === 'assistant') {
    return { ...first, content: joinedText(first, second) ?? [...assistantParts(first), ...assistantParts(second)] };
  }
  return undefined;
}

function joinedText({ content: first = '' }: User | Assistant, { content: second = '' }: User | Assistant) {
  if (Array.isArray(first) || Array.isArray(second)) return undefined;
  return [first, second].filter(Boolean).join('\n\n');
}

const userParts = ({ content }: User) => (typeof content === 'string' ? textPart(content) : content);

const assistantParts = ({ content }: Assistant) => (typeof content === 'string' ? textPart(content) : (content ?? []));

const textPart = (text: string) => (text === '' ? [] : [{ type: 'text' as const, text }]);
