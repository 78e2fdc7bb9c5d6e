import type { RequestHead } from '@switchyard/contracts';
import {
  type DialectRequest,
  openAiResponses,
  previousResponseOf,
  type ResponsesCall,
  type ResponsesResponse,
  type ResponsesStream,
} from '@switchyard/dialects';
import type { SpokenCall, SpokenDialect, SpokenStream } from '../dialects/spoken-dialect.ts';
import { type ConversationBounds, continueConversation, type StoredConversation } from './conversation.ts';
import type { StoringEvents } from './events.ts';
import { withReferencedItems } from './references.ts';
import { cannotContinue } from './refusals.ts';
import type { StoredResponses } from './stored-responses.ts';

export interface ResponseTools extends Omit<ConversationBounds, 'stored'> {
  /** `undefined` if this gateway stores no responses. */
  stored: StoredResponses | undefined;
  storingEvents: StoringEvents;
}

export const accountOf = ({ principal }: RequestHead): string => principal?.accountId ?? '';

/** `POST /v1/responses`: continues stored responses, and stores its own before the client has all of it. */
export const storingResponses = (tools: ResponseTools): SpokenDialect => ({
  name: openAiResponses.name,
  errors: openAiResponses.errors,
  async read(request, head) {
    const { conversation, storedBytes, ...continued } = await readContinued(request, head, tools);
    const call = { ...continued.call, storedBytes };
    const { stored } = tools;
    if (stored === undefined || !call.store) return call;
    // Without its items, which need not stay in memory until the response ends.
    const previous = conversation && { id: conversation.last.id, head: conversation.last.head };
    return storedCall(call, async (response) => {
      const result = await stored.keep(accountOf(head), { id: call.id, response, input: call.input(), previous });
      tools.storingEvents.ended(result);
      return { ...response, store: result === 'stored' };
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
  head: RequestHead,
  { stored, maxBodyBytes, budget }: ResponseTools,
): Promise<ContinuedCall> {
  const id = previousResponseOf(request.body);
  if (stored === undefined) {
    if (id !== undefined) throw cannotContinue();
    return { call: openAiResponses.read(request), conversation: undefined, storedBytes: undefined };
  }
  const accountId = accountOf(head);
  const bounds = { stored, maxBodyBytes, budget };
  const conversation = id === undefined ? undefined : await continueConversation({ accountId, id }, bounds);
  const earlier = conversation === undefined ? [] : [...conversation.input, ...conversation.output];
  const body = await withReferencedItems(request.body, accountId, bounds);
  const call = openAiResponses.read({ ...request, body }, { earlier, stores: true });
  const hasStoredItems = conversation !== undefined || body !== request.body;
  return { call, conversation, storedBytes: hasStoredItems ? JSON.stringify(call.chat).length : undefined };
}

type Keep = (response: ResponsesResponse) => Promise<ResponsesResponse>;

/** A client may continue a response as soon as it has its end, so that is sent once the response is stored. */
const storedCall = (call: ResponsesCall & SpokenCall, keep: Keep): SpokenCall => ({
  ...call,
  answer: (completion) => keep(call.answer(completion)),
  stream: () => storedStream(call.stream(), keep),
});

/** A stream that fails has no end, so it is not stored. */
const storedStream = (stream: ResponsesStream, keep: Keep): SpokenStream => ({
  ...stream,
  async end() {
    const events = stream.end();
    const last = events.at(-1);
    if (last?.data.response === undefined) return events;
    const response = await keep(last.data.response);
    return [...events.slice(0, -1), { ...last, data: { ...last.data, response } }];
  },
});
