import type { ListedItem } from '@tallyport/dialects';
import type { FoundConversation } from './conversation-values.ts';
import type { KeptConversation } from './conversation-record.ts';

/** Of how many turns a repetition is recognised. */
const mostTurns = 100;

/** The conversation with the items of a turn, unless it has that turn already. `turn`: what a repetition has in common with it. */
export function withTurnAdded(
  conversation: FoundConversation,
  items: readonly ListedItem[],
  turn: string | undefined,
): KeptConversation {
  if (turn === undefined) return withItemsAdded(conversation, items);
  const { turns } = conversation;
  if (turns.includes(turn)) return conversation;
  return { ...withItemsAdded(conversation, items), turns: [...turns, turn].slice(-mostTurns) };
}

/** The conversation with items at its end. Those that it has already stay where they are, so that nothing is added twice. */
export function withItemsAdded(conversation: FoundConversation, items: readonly ListedItem[]): KeptConversation {
  const known = new Set(conversation.items.map(({ id }) => id));
  const added = items.filter(({ id }) => !known.has(id) && known.add(id));
  return added.length === 0 ? conversation : { ...conversation, items: [...conversation.items, ...added] };
}
