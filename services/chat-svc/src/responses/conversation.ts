import type { ListedItem } from '@tallyport/dialects';
import type { ByteBudget } from '@tallyport/serving';
import { inBatches } from './in-batches.ts';
import { conversationTooLarge, conversationTooLong, responseNotFound } from './refusals.ts';
import type { FoundRecord, StoredResponse, StoredResponses } from './stored-responses.ts';

/** A stored response with those before it. */
export interface StoredConversation {
  /** Its last response. */
  last: FoundRecord;
  /** The input of all its requests and the output between them, in order. */
  input: ListedItem[];
  /** The output of its last response. */
  output: ListedItem[];
}

export interface ConversationQuestion {
  accountId: string;
  /** Of its last response. */
  id: string;
  /** The member of the request that has the id. */
  param?: string;
}

export interface ConversationBounds {
  stored: StoredResponses;
  maxBodyBytes: number;
  /** Counts the bytes that are read. */
  budget: ByteBudget;
}

/** The most responses of one conversation, and that one request refers to. */
export const mostResponses = 1_000;

/**
 * Reads the conversation that ends with a response. Throws `not_found` if any response of it is gone: a model must not
 * answer half of a conversation.
 */
export async function readStoredConversation(
  { accountId, id, param }: ConversationQuestion,
  { stored, maxBodyBytes, budget }: ConversationBounds,
): Promise<StoredConversation> {
  const found = async (each: string) => (await stored.find(accountId, each)) ?? notFound(param);
  const read = async (record: FoundRecord) => (await record.read()) ?? notFound(param);
  const last = await found(id);
  const { earlier, conversationBytes } = last.head;
  if (conversationBytes > maxBodyBytes) throw conversationTooLarge(maxBodyBytes, param);
  const lease = budget.lease();
  try {
    lease.take(conversationBytes);
    const responses = await inBatches(earlier, async (each) => read(await found(each)));
    const { input, output } = await read(last);
    return { last, input: [...responses.flatMap(itemsOf), ...input], output };
  } finally {
    lease.release();
  }
}

export const itemsOf = ({ input, output }: StoredResponse): ListedItem[] => [...input, ...output];

/** The conversation, for a request that continues it. */
export async function continueConversation(
  question: ConversationQuestion,
  bounds: ConversationBounds,
): Promise<StoredConversation> {
  const conversation = await readStoredConversation({ ...question, param: 'previous_response_id' }, bounds);
  if (conversation.last.head.earlier.length + 1 >= mostResponses) throw conversationTooLong(mostResponses);
  return conversation;
}

function notFound(param?: string): never {
  throw responseNotFound(param);
}
