import { randomUUID } from 'node:crypto';
import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { itemPage, type ListedItem, readConversationItems, readConversationMetadata } from '@tallyport/dialects';
import { holdBody } from '@tallyport/serving/replay';
import { jsonAnswer } from '../answer/json-answer.ts';
import type { KeptConversation } from '../conversations/conversation-record.ts';
import { withItemsAdded } from '../conversations/added-items.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { FoundConversation } from '../conversations/conversation-values.ts';
import {
  conversationFull,
  conversationItemNotFound,
  conversationNotFound,
  noConversationsStored,
} from '../conversations/refusals.ts';
import { parseExactBodyOf } from '../parse-request.ts';
import { guardConversation, guardStored } from './guard-stored.ts';
import { responseOwnerOf, type ResponseTools } from './respond.ts';
import type { ResponseOwner } from './stored-responses.ts';

/** The handlers of `/v1/conversations` and the paths below it. */
interface ConversationHandlers extends ItemHandlers {
  createConversation: ExchangeHandler;
  getConversation: ExchangeHandler;
  updateConversation: ExchangeHandler;
  deleteConversation: ExchangeHandler;
}

export const conversationHandlers = (tools: ResponseTools): ConversationHandlers => ({
  async createConversation(exchange) {
    const { conversations, owner } = addressed(tools, exchange, '');
    const body = await readBody(tools, exchange);
    const conversation = {
      id: `conv_${newId()}`,
      createdAt: Math.floor(Date.now() / 1000),
      metadata: readConversationMetadata(body.metadata),
      items: body.items == null ? [] : readConversationItems(body.items, newId),
    };
    await conversations.create(owner, conversation);
    return jsonAnswer(describe(conversation));
  },
  async getConversation(exchange) {
    return jsonAnswer(describe(await found(addressed(tools, exchange, ''))));
  },
  async updateConversation(exchange) {
    const { conversations, owner, id } = addressed(tools, exchange, '');
    const metadata = readConversationMetadata((await readBody(tools, exchange)).metadata);
    const changed = await conversations.change(owner, id, (before) => ({ ...before, metadata }));
    return jsonAnswer(describe(orNotFound(changed)));
  },
  async deleteConversation(exchange) {
    const { conversations, owner, id } = addressed(tools, exchange, '');
    if (!(await conversations.delete(owner, id))) throw conversationNotFound();
    return jsonAnswer({ id, object: 'conversation.deleted', deleted: true });
  },
  ...itemHandlers(tools),
});

interface ItemHandlers {
  addConversationItems: ExchangeHandler;
  listConversationItems: ExchangeHandler;
  getConversationItem: ExchangeHandler;
  deleteConversationItem: ExchangeHandler;
}

const itemHandlers = (tools: ResponseTools): ItemHandlers => ({
  async addConversationItems(exchange) {
    const { conversations, owner, id } = addressed(tools, exchange, '/items');
    const items = readConversationItems((await readBody(tools, exchange)).items, newId);
    const limit = tools.maxConversationBytes;
    const changed = await conversations.change(owner, id, (before) => {
      if (before.bytes >= limit) throw conversationFull(limit);
      return withItemsAdded(before, items);
    });
    orNotFound(changed);
    return jsonAnswer(itemPage(items, new URLSearchParams({ order: 'asc' })));
  },
  async listConversationItems(exchange) {
    const at = addressed(tools, exchange, '/items');
    const { data, ...page } = itemPage((await found(at)).items, at.query);
    return jsonAnswer({ ...page, data: await guardConversation(guardStored(tools.guardrails, exchange), data) });
  },
  async getConversationItem(exchange) {
    const at = addressed(tools, exchange, '/items/');
    const [item] = await guardConversation(guardStored(tools.guardrails, exchange), [
      itemOf(await found(at), at.itemId),
    ]);
    return jsonAnswer(item);
  },
  async deleteConversationItem(exchange) {
    const { conversations, owner, id, itemId } = addressed(tools, exchange, '/items/');
    let isDeleted = false;
    const changed = await conversations.change(owner, id, (before) => {
      const items = before.items.filter((item) => item.id !== itemId);
      if (items.length === before.items.length) return before;
      isDeleted = true;
      return { ...before, items };
    });
    const conversation = orNotFound(changed);
    if (!isDeleted) throw conversationItemNotFound();
    return jsonAnswer(describe(conversation));
  },
});

/** What follows the id of a conversation in a path. */
type AddressedPart = '' | '/items' | '/items/';

interface Address {
  conversations: ConversationStore;
  owner: ResponseOwner;
  id: string;
  /** Empty in paths without one. */
  itemId: string;
  query: URLSearchParams;
}

/** The path of the request is the id, and for items what follows it. */
function addressed({ conversations }: ResponseTools, { head }: IncomingExchange, part: AddressedPart): Address {
  if (conversations === undefined) throw noConversationsStored();
  const { path = '', query } = head;
  const end = part === '' ? path.length : path.indexOf(part);
  const address = { conversations, owner: responseOwnerOf(head), query: new URLSearchParams(query) };
  return { ...address, id: path.slice(0, end), itemId: path.slice(end + part.length) };
}

const found = async ({ conversations, owner, id }: Address): Promise<FoundConversation> =>
  orNotFound(await conversations.find(owner, id));

function orNotFound<Found>(conversation: Found | undefined): Found {
  if (conversation === undefined) throw conversationNotFound();
  return conversation;
}

function itemOf({ items }: KeptConversation, itemId: string): ListedItem {
  const item = items.find(({ id }) => id === itemId);
  if (item === undefined) throw conversationItemNotFound();
  return item;
}

const describe = ({ id, createdAt, metadata }: KeptConversation): object => ({
  id,
  object: 'conversation',
  created_at: createdAt,
  metadata,
});

const newId = (): string => randomUUID().replaceAll('-', '');

/** SDKs send no body where all members are optional. */
async function readBody(
  { maxBodyBytes, budget }: ResponseTools,
  exchange: IncomingExchange,
): Promise<Readonly<Record<string, unknown>>> {
  const held = await holdBody(exchange, { maxBodyBytes, lease: budget.lease });
  try {
    const body = held.body.length === 0 ? {} : parseExactBodyOf(held.body, exchange.head);
    return Object(body);
  } finally {
    held.release();
  }
}
