import { type DialectRequest, type ListedItem, readStoredItems } from '@tallyport/dialects';
import type { ByteBudget } from '@tallyport/serving';
import { editMembers } from '@tallyport/wire';
import { withItemsAdded } from '../conversations/added-items.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import { conversationFull, conversationNotFound, noConversationsStored } from '../conversations/refusals.ts';
import type { ResponseOwner } from './stored-responses.ts';

export interface TurnTools {
  /** `undefined` if this gateway stores no conversations. */
  conversations: ConversationStore | undefined;
  /** A larger conversation gets no further items. */
  maxConversationBytes: number;
  /** Counts the bytes that are read. */
  budget: ByteBudget;
}

interface NamedConversation {
  owner: ResponseOwner;
  id: string;
}

const param = 'conversation';

/** The items of the conversation that a request names. Throws if it is full: the turn could not be added to it. */
export async function itemsOfConversation(
  { owner, id }: NamedConversation,
  { budget, conversations, maxConversationBytes: limit }: TurnTools,
): Promise<readonly ListedItem[]> {
  if (conversations === undefined) throw noConversationsStored(param);
  const found = await conversations.find(owner, id);
  if (found === undefined) throw conversationNotFound(param);
  if (found.bytes >= limit) throw conversationFull(limit, param);
  const lease = budget.lease();
  try {
    lease.take(found.bytes);
    return found.items;
  } finally {
    lease.release();
  }
}

/** The request without its conversation, whose items no vendor knows by its id. */
export const withoutConversation = <Request extends DialectRequest>(request: Request): Request => ({
  ...request,
  body: { ...Object(request.body), conversation: undefined },
  bytes: editMembers(request.bytes, { removed: new Set([param]), added: {} }),
});

interface EndedTurn {
  input: readonly ListedItem[];
  response: object;
}

export type TurnResult = 'added' | 'gone' | 'failed';

/**
 * Adds the items of a turn to its conversation, once. Turns that run at the same time are added in the order in which they
 * end, and a conversation may grow beyond its limit by one turn of each.
 */
export async function addTurn(
  conversations: ConversationStore,
  { owner, id }: NamedConversation,
  { input, response }: EndedTurn,
): Promise<TurnResult> {
  const output = 'output' in response ? readStoredItems(response.output) : undefined;
  const items = [...input, ...(output ?? [])];
  try {
    const changed = await conversations.change(owner, id, (before) => withItemsAdded(before, items));
    return changed === undefined ? 'gone' : 'added';
  } catch {
    return 'failed';
  }
}
