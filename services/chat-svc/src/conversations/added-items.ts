import type { ListedItem } from '@tallyport/dialects';
import type { FoundConversation } from './conversation-values.ts';
import type { KeptConversation } from './conversation-record.ts';

/** The conversation with items at its end. Those that it has already stay where they are, so that nothing is added twice. */
export function withItemsAdded(conversation: FoundConversation, items: readonly ListedItem[]): KeptConversation {
  const known = new Set(conversation.items.map(({ id }) => id));
  const added = items.filter(({ id }) => !known.has(id) && known.add(id));
  return added.length === 0 ? conversation : { ...conversation, items: [...conversation.items, ...added] };
}
