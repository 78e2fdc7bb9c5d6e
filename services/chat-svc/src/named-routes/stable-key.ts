import { clientsName } from '../affinity/conversation-key.ts';
import type { ChatRequest } from '@tallyport/wire';

interface RoutedChat {
  request: ChatRequest;
  endUser: string | undefined;
  requestId: string;
}

/** Conversations differ within this length, and it is bounded. */
const longestText = 4_000;

/**
 * What keeps a conversation with its target: how its client names it, else its end user, else how it begins, up to its first
 * question. Its later turns begin in the same way.
 */
export function stableKeyOf({ request, endUser, requestId }: RoutedChat): string {
  return clientsName(request) ?? endUser ?? beginning(request) ?? requestId;
}

function beginning({ messages }: ChatRequest): string | undefined {
  const first = messages.findIndex(({ role }) => role === 'user');
  if (first < 0) return undefined;
  return messages
    .slice(0, first + 1)
    .map(({ content }) => textOf(content).slice(0, longestText))
    .join('\0')
    .slice(-2 * longestText);
}

const textOf = (content: ChatRequest['messages'][number]['content']): string => {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : part.type)).join('\0');
};
