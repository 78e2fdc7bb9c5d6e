import type { ChatMessage, UserPart } from '@tallyport/wire';
import { isMembers, type Members } from '../read.ts';

type TextPart = Extract<UserPart, { type: 'text' }>;

/**
 * Some clients set the cache breakpoint on a whole message, which vendors support only on parts. The last part gets it
 * unless it has its own.
 */
export function withMarkedParts(message: ChatMessage): ChatMessage {
  const { cache_control: mark } = message;
  if (!isMembers(mark)) return message;
  const { role } = message;
  switch (role) {
    case 'system':
    case 'developer':
    case 'tool':
      return { ...message, cache_control: undefined, content: marked(message.content, mark) };
    case 'user':
      return { ...message, cache_control: undefined, content: marked(message.content, mark) };
    case 'assistant':
      return { ...message, cache_control: undefined, content: message.content && marked(message.content, mark) };
    case 'function':
      return { ...message, cache_control: undefined };
    default:
      return role satisfies never;
  }
}

function marked<Part extends object>(content: string | readonly Part[], mark: Members): string | (Part | TextPart)[] {
  if (content === '') return content;
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return parts.map((part, index) => (index === parts.length - 1 ? { cache_control: mark, ...part } : part));
}
