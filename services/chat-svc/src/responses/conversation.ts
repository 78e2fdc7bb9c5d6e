import type { ListedItem } from '@tallyport/dialects';
import type { ByteBudget } from '@tallyport/serving';
import { inBatches } from './in-batches.ts';
import {
  belongsToConversation,
  conversationTooLarge,
  conversationTooLong,
  previousResponseNotFound,
  responseNotFound,
} from './refusals.ts';
import type { GuardStored, StoredTexts } from './guard-stored.ts';
import type { FoundRecord, ResponseOwner, StoredResponses } from './stored-responses.ts';

/** A stored response with those before it. */
export interface StoredConversation {
  /** Its last response. */
  last: FoundRecord;
  /** The input of all its requests and the output between them, in order. */
  input: ListedItem[];
  /** The output of its last response. */
  output: ListedItem[];
}

interface ConversationQuestion {
  owner: ResponseOwner;
  /** Of its last response. */
  id: string;
  /** A request continues it; otherwise the response itself is requested. */
  isContinued?: true;
}

export interface ConversationBounds {
  stored: StoredResponses;
  maxBodyBytes: number;
  /** Counts the bytes that are read. */
  budget: ByteBudget;
  guard: GuardStored;
}

/** The most responses of one conversation, and that one request refers to. */
export const mostResponses = 1_000;

/**
 * Reads the conversation that ends with a response. Throws if any response of it is gone: a model must not answer half
 * of a conversation.
 */
export async function readStoredConversation(
  { owner, id, isContinued }: ConversationQuestion,
  { stored, maxBodyBytes, budget, guard }: ConversationBounds,
): Promise<StoredConversation> {
  const notFound = () => (isContinued ? previousResponseNotFound(id) : responseNotFound());
  const found = async (each: string) => orThrow(await stored.find(owner, each), notFound);
  const read = async (record: FoundRecord) => orThrow(await record.read(), notFound);
  const last = await found(id);
  const { earlier, conversationBytes } = last.head;
  if (conversationBytes > maxBodyBytes) {
    throw conversationTooLarge(maxBodyBytes, isContinued && 'previous_response_id');
  }
  const lease = budget.lease();
  try {
    lease.take(conversationBytes);
    const before = await inBatches(earlier, async (each) => read(await found(each)));
    const responses = await guard([...before, await read(last)]);
    const output = responses.at(-1)?.output ?? [];
    const items = responses.flatMap(itemsOf);
    return { last, input: items.slice(0, items.length - output.length), output };
  } finally {
    lease.release();
  }
}

const itemsOf = ({ input, output }: StoredTexts): ListedItem[] => [...input, ...output];

/** The conversation, for a request that continues it. */
export async function continueConversation(
  question: ConversationQuestion,
  bounds: ConversationBounds,
): Promise<StoredConversation> {
  const conversation = await readStoredConversation({ ...question, isContinued: true }, bounds);
  const { conversation: ofConversation } = conversation.last.head;
  if (ofConversation !== undefined) throw belongsToConversation(ofConversation);
  if (conversation.last.head.earlier.length + 1 >= mostResponses) throw conversationTooLong(mostResponses);
  return conversation;
}

function orThrow<Value>(value: Value | undefined, error: () => Error): Value {
  if (value === undefined) throw error();
  return value;
}
