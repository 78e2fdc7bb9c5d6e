import { type RequestHead, toGatewayError } from '@tallyport/contracts';
import type { Metering } from '@tallyport/serving/metering';
import { type GuardedExchange, type GuardrailTools, namedIn, unlessDismissed } from '@tallyport/serving';
import {
  asksCompaction,
  conversationIdOf,
  type DialectRequest,
  type EarlierItems,
  openAiCompact,
  openAiResponses,
  previousResponseOf,
  type BackgroundIdentity,
  type ResponsesCall,
  type ResponsesResponse,
  type ResponsesStream,
} from '@tallyport/dialects';
import type { Compactions } from '../compaction/compactions.ts';
import type { SpokenCall, SpokenDialect, SpokenStream } from '../dialects/spoken-dialect.ts';
import { type ConversationBounds, continueConversation, type StoredConversation } from './conversation.ts';
import type { StoringEvents } from './events.ts';
import { addTurn, itemsOfConversation, type TurnTools, withoutConversation } from './conversation-turn.ts';
import { type Keep, type KeptMembers, keptPassed } from './kept-passed.ts';
import { referencedItems } from './references.ts';
import { cannotContinue } from './refusals.ts';
import { guardConversation, type GuardStored, guardStored } from './guard-stored.ts';
import { openCompactions } from './opened-items.ts';
import { continuable, type SocketResponses } from './socket-responses.ts';
import type { EndedResponse, ResponseOwner } from './stored-responses.ts';

export interface ResponseTools extends Omit<ConversationBounds, 'guard' | 'stored'>, SocketResponses, TurnTools {
  storingEvents: StoringEvents;
  compactions: Compactions;
  guardrails: GuardrailTools;
  metering: Pick<Metering, 'refused'>;
  /** Of a response that is made in the background. */
  identity?: BackgroundIdentity;
}

export const responseOwnerOf = ({ principal }: RequestHead): ResponseOwner => ({
  accountId: principal?.accountId ?? '',
  projectId: principal?.projectId,
});

/** `POST /v1/responses`: continues stored responses, and stores its own before the client has all of it. */
export const storingResponses = (tools: ResponseTools, defer?: SpokenDialect['defer']): SpokenDialect => ({
  ...(defer && { defer }),
  name: openAiResponses.name,
  errors: openAiResponses.errors,
  memberNames: openAiResponses.memberNames,
  async read(request, exchange) {
    const reading = readContinued(request, exchange, tools);
    const { conversation, within, storedBytes, ...continued } = await recordBlocked(
      reading,
      { request, exchange },
      tools,
    );
    const call = { ...continued.call, storedBytes };
    // Without its items, which need not stay in memory until the response ends.
    const previous = conversation && { id: conversation.last.id, head: conversation.last.head };
    const { socket } = exchange.head;
    const kept = keeping(tools, { owner: responseOwnerOf(exchange.head), call, previous, within, socket });
    if (kept === undefined) return call;
    return keptCall(call, tools.identity === undefined ? kept : whileOurs(kept, exchange));
  },
});

/** A background response that another replica has taken over is stored there. */
const whileOurs =
  (keep: Keep, { signal }: Pick<GuardedExchange, 'signal'>): Keep =>
  (id, response) => {
    signal.throwIfAborted();
    return keep(id, response);
  };

interface EndingResponse {
  owner: ResponseOwner;
  call: ResponsesCall;
  previous: EndedResponse['previous'];
  /** The conversation that the turn belongs to. */
  within: string | undefined;
  socket: RequestHead['socket'];
}

/** Keeps what a response is to be kept in; `undefined` if that is nothing. */
function keeping(
  { stored, ofSockets, conversations, storingEvents }: ResponseTools,
  { owner, call, previous, within, socket }: EndingResponse,
): Keep | undefined {
  const isStored = stored !== undefined && call.store;
  const isTurn = conversations !== undefined && within !== undefined;
  if (!isStored && !isTurn && socket === undefined) return undefined;
  const store = async (id: string, response: object): Promise<KeptMembers> => {
    const ended = { id, response, input: call.input(id), previous, conversation: within };
    if (isStored) {
      const result = await stored.keep(owner, ended);
      storingEvents.ended(result);
      return { store: result === 'stored' };
    }
    if (socket !== undefined) await ofSockets.keep({ ...owner, socketId: socket.id }, ended);
    return {};
  };
  const add = async (id: string, response: object): Promise<KeptMembers> => {
    if (!isTurn) return {};
    const result = await addTurn(conversations, { owner, id: within }, { input: call.input(id), response });
    storingEvents.added(result);
    return { conversation: result === 'added' ? { id: within } : null };
  };
  return async (id, response) => ({ ...(await store(id, response)), ...(await add(id, response)) });
}

interface ContinuedCall {
  call: ResponsesCall;
  conversation: StoredConversation | undefined;
  within: string | undefined;
  storedBytes: number | undefined;
}

/** A request with the items that it refers to, and with the conversation that it continues in front of its input. */
export async function readContinued(
  request: DialectRequest,
  exchange: GuardedExchange,
  tools: ResponseTools,
): Promise<ContinuedCall> {
  const within = conversationIdOf(request.body);
  const { items, conversation } = await earlierItems({ body: request.body, within }, exchange, tools);
  const stores = tools.stored !== undefined;
  const sealSummary = asksCompaction(request.body)
    ? await tools.compactions.sealer(responseOwnerOf(exchange.head))
    : undefined;
  const alone = within === undefined ? request : withoutConversation(request);
  const { identity } = tools;
  const state = { ...items, stores, sealSummary, conversation: within, ...(identity && { identity }) };
  const call = openAiResponses.read(alone, state);
  return { call, conversation, within, storedBytes: storedBytesOf(call, items) };
}

/** `POST /v1/responses/compact`. */
export const compacting = (tools: ResponseTools): SpokenDialect => ({
  name: openAiCompact.name,
  errors: openAiCompact.errors,
  memberNames: openAiCompact.memberNames,
  async read(request, exchange) {
    const reading = earlierItems({ body: request.body, within: undefined }, exchange, tools);
    const { items } = await recordBlocked(reading, { request, exchange }, tools);
    const sealSummary = await tools.compactions.sealer(responseOwnerOf(exchange.head));
    const call = openAiCompact.read(request, { ...items, sealSummary });
    return { ...call, storedBytes: storedBytesOf(call, items) };
  },
});

/** A request that is blocked for what it continues leaves a record, like every blocked request. */
export async function recordBlocked<Result>(
  reading: Promise<Result>,
  { request, exchange }: { request: DialectRequest; exchange: GuardedExchange },
  { metering }: Pick<ResponseTools, 'metering'>,
): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await reading;
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const durationMs = performance.now() - startedAt;
    const { head } = exchange;
    const refused = {
      head,
      ...namedIn(head, request.body),
      durationMs,
      operation: 'chat',
    } as const;
    if (error.code === 'guardrail_blocked') unlessDismissed(exchange, () => metering.refused(refused, error));
    throw thrown;
  }
}

interface Earlier {
  items: EarlierItems;
  conversation: StoredConversation | undefined;
}

interface AskedItems {
  body: unknown;
  /** The id of the conversation that the request is a turn of. */
  within: string | undefined;
}

/** The stored items that a request continues or refers to, and its compactions as a model reads them. */
async function earlierItems(
  { body, within }: AskedItems,
  exchange: GuardedExchange,
  tools: ResponseTools,
): Promise<Earlier> {
  const owner = responseOwnerOf(exchange.head);
  const guard = guardStored(tools.guardrails, exchange);
  const { items, conversation } = await storedItems(
    body,
    { owner, guard },
    { ...tools, stored: continuable(exchange.head, tools) },
  );
  const ofConversation = within === undefined ? [] : await itemsOfConversation({ owner, id: within }, tools);
  const earlier = [...items.earlier, ...(await guardConversation(guard, ofConversation))];
  const param = within === undefined ? 'previous_response_id' : 'conversation';
  const opening = { owner, guard, compactions: tools.compactions, param };
  return { items: await openCompactions(body, { ...items, earlier }, opening), conversation };
}

async function storedItems(
  body: unknown,
  { owner, guard }: { owner: ResponseOwner; guard: GuardStored },
  { stored, maxBodyBytes, budget }: ResponseTools,
): Promise<Earlier> {
  const id = previousResponseOf(body);
  if (stored === undefined) {
    if (id !== undefined) throw cannotContinue();
    return { items: { earlier: [], referenced: new Map() }, conversation: undefined };
  }
  const bounds = { stored, maxBodyBytes, budget, guard };
  const conversation = id === undefined ? undefined : await continueConversation({ owner, id }, bounds);
  const earlier = conversation === undefined ? [] : [...conversation.input, ...conversation.output];
  return { items: { earlier, referenced: await referencedItems(body, owner, bounds) }, conversation };
}

const storedBytesOf = ({ chat }: Pick<SpokenCall, 'chat'>, { earlier, referenced, opened }: EarlierItems) =>
  earlier.length > 0 || referenced.size > 0 || opened !== undefined ? JSON.stringify(chat).length : undefined;

/** A client may continue a response as soon as it has its end, so that is sent once the response is kept. */
function keptCall(call: ResponsesCall & SpokenCall, keep: Keep): SpokenCall {
  const kept = async (response: ResponsesResponse) => ({ ...response, ...(await keep(call.id, response)) });
  return {
    ...call,
    answer: (completion) => kept(call.answer(completion)),
    stream: () => storedStream(call.stream(), kept),
    passed: keptPassed(call.passed, keep),
  };
}

/** A stream that fails has no end, so it is not stored. */
const storedStream = (
  stream: ResponsesStream,
  kept: (response: ResponsesResponse) => Promise<ResponsesResponse>,
): SpokenStream => ({
  ...stream,
  async end() {
    const events = stream.end();
    const last = events.at(-1);
    if (last?.data.response === undefined || last.event === 'response.failed') return events;
    const response = await kept(last.data.response);
    return [...events.slice(0, -1), { ...last, data: { ...last.data, response } }];
  },
});
