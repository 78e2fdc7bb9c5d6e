import { type RequestHead, toGatewayError } from '@tallyport/contracts';
import type { Metering } from '@tallyport/serving/metering';
import { type GuardedExchange, type GuardrailTools, namedIn, unlessDismissed } from '@tallyport/serving';
import {
  type DialectRequest,
  type ListedItem,
  openAiCompact,
  openAiResponses,
  previousResponseOf,
  type ResponsesCall,
  type ResponsesResponse,
  type ResponsesStream,
} from '@tallyport/dialects';
import type { SpokenCall, SpokenDialect, SpokenStream } from '../dialects/spoken-dialect.ts';
import { type ConversationBounds, continueConversation, type StoredConversation } from './conversation.ts';
import type { StoringEvents } from './events.ts';
import { storedPassed } from './stored-passed.ts';
import { referencedItems } from './references.ts';
import { cannotContinue } from './refusals.ts';
import { guardStored } from './guard-stored.ts';
import type { ResponseOwner, StoredResponses } from './stored-responses.ts';

export interface ResponseTools extends Omit<ConversationBounds, 'guard' | 'stored'> {
  /** `undefined` if this gateway stores no responses. */
  stored: StoredResponses | undefined;
  storingEvents: StoringEvents;
  guardrails: GuardrailTools;
  metering: Pick<Metering, 'refused'>;
}

export const responseOwnerOf = ({ principal }: RequestHead): ResponseOwner => ({
  accountId: principal?.accountId ?? '',
  projectId: principal?.projectId,
});

/** `POST /v1/responses`: continues stored responses, and stores its own before the client has all of it. */
export const storingResponses = (tools: ResponseTools): SpokenDialect => ({
  name: openAiResponses.name,
  errors: openAiResponses.errors,
  memberNames: openAiResponses.memberNames,
  async read(request, exchange) {
    const reading = readContinued(request, exchange, tools);
    const { conversation, storedBytes, ...continued } = await recordBlocked(reading, { request, exchange }, tools);
    const call = { ...continued.call, storedBytes };
    const { stored } = tools;
    if (stored === undefined || !call.store) return call;
    // Without its items, which need not stay in memory until the response ends.
    const previous = conversation && { id: conversation.last.id, head: conversation.last.head };
    return storedCall(call, async (id, response) => {
      const result = await stored.keep(responseOwnerOf(exchange.head), {
        id,
        response,
        input: call.input(id),
        previous,
      });
      tools.storingEvents.ended(result);
      return result === 'stored';
    });
  },
});

interface ContinuedCall {
  call: ResponsesCall;
  conversation: StoredConversation | undefined;
  storedBytes: number | undefined;
}

/** A request with the items that it refers to, and with the conversation that it continues in front of its input. */
export async function readContinued(
  request: DialectRequest,
  exchange: GuardedExchange,
  tools: ResponseTools,
): Promise<ContinuedCall> {
  const { items, conversation } = await earlierItems(request, exchange, tools);
  const state = tools.stored && { ...items, stores: true };
  const call = openAiResponses.read(request, state);
  return { call, conversation, storedBytes: storedBytesOf(call, items) };
}

/** `POST /v1/responses/compact`. */
export const compacting = (tools: ResponseTools): SpokenDialect => ({
  name: openAiCompact.name,
  errors: openAiCompact.errors,
  memberNames: openAiCompact.memberNames,
  async read(request, exchange) {
    const reading = earlierItems(request, exchange, tools);
    const { items } = await recordBlocked(reading, { request, exchange }, tools);
    const call = openAiCompact.read(request, items);
    return { ...call, storedBytes: storedBytesOf(call, items) };
  },
});

/** A request that is blocked for what it continues leaves a record, like every blocked request. */
async function recordBlocked<Result>(
  reading: Promise<Result>,
  { request, exchange }: { request: DialectRequest; exchange: GuardedExchange },
  { metering }: ResponseTools,
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
  items: { earlier: ListedItem[]; referenced: ReadonlyMap<number, ListedItem> };
  conversation: StoredConversation | undefined;
}

/** The stored items that a request continues or refers to. */
async function earlierItems(
  { body }: DialectRequest,
  exchange: GuardedExchange,
  { stored, maxBodyBytes, budget, guardrails }: ResponseTools,
): Promise<Earlier> {
  const id = previousResponseOf(body);
  if (stored === undefined) {
    if (id !== undefined) throw cannotContinue();
    return { items: { earlier: [], referenced: new Map() }, conversation: undefined };
  }
  const owner = responseOwnerOf(exchange.head);
  const bounds = { stored, maxBodyBytes, budget, guard: guardStored(guardrails, exchange) };
  const conversation = id === undefined ? undefined : await continueConversation({ owner, id }, bounds);
  const earlier = conversation === undefined ? [] : [...conversation.input, ...conversation.output];
  return { items: { earlier, referenced: await referencedItems(body, owner, bounds) }, conversation };
}

const storedBytesOf = ({ chat }: Pick<SpokenCall, 'chat'>, { earlier, referenced }: Earlier['items']) =>
  earlier.length > 0 || referenced.size > 0 ? JSON.stringify(chat).length : undefined;

/** `false` if the response is not stored. */
type Keep = (id: string, response: object) => Promise<boolean>;

/** A client may continue a response as soon as it has its end, so that is sent once the response is stored. */
function storedCall(call: ResponsesCall & SpokenCall, keep: Keep): SpokenCall {
  const kept = async (response: ResponsesResponse) => ({ ...response, store: await keep(call.id, response) });
  return {
    ...call,
    answer: (completion) => kept(call.answer(completion)),
    stream: () => storedStream(call.stream(), kept),
    passed: storedPassed(call.passed, keep),
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
    if (last?.data.response === undefined) return events;
    const response = await kept(last.data.response);
    return [...events.slice(0, -1), { ...last, data: { ...last.data, response } }];
  },
});
