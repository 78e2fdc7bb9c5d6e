import { responsesErrors } from '@tallyport/contracts';
import type { Dialect, DialectCall, DialectRequest, PassedAnswer } from '../dialect.ts';
import { ignoredMembers } from '../ignored-members.ts';
import { isPlainObject } from '../plain-object.ts';
import { answeredModel } from '../answered-model.ts';
import { toResponse } from './answer.ts';
import { compactionChat } from './compaction/compaction-chat.ts';
import { readTrigger, statelessItems } from './compaction/compactions.ts';
import type { SealSummary } from './compaction/summary.ts';
import { conversationOf, inputItems, itemsOfBody } from './conversation.ts';
import { type EarlierItems, placedItems } from './expanded-input.ts';
import { createItemIds } from './item-ids.ts';
import { type ListedItem, listedItems } from './listed-items.ts';
import { responsesMemberNames } from './member-names.ts';
import { readResponsesRequest } from './native.ts';
import { passedResponse } from './passed-response.ts';
import { withItems } from './references.ts';
import { toChatRequest } from './request.ts';
import { parseResponsesRequest, type ResponsesRequest, responsesMembersRead } from './request-schema.ts';
import { responseObject, type BackgroundIdentity, type ResponseProgress, type ResponsesResponse } from './response.ts';
import { createResponsesStream, type ResponsesStream } from './stream.ts';
import { createToolNames } from './tool-names.ts';
import type { ResponsesContext } from './writer.ts';

export { conversationIdOf, readConversationItems, readConversationMetadata } from './conversation-items.ts';
export { openAiCompact } from './compact.ts';
export {
  asksCompaction,
  compactionsOf,
  openedCompaction,
  sealedSummaryOf,
  sinceCompaction,
} from './compaction/compactions.ts';
export type { EarlierItems } from './expanded-input.ts';
export { previousResponseOf, readStoredItems } from './conversation.ts';
export { responseOfItem } from './item-ids.ts';
export { itemPage } from './item-page.ts';
export type { ListedItem } from './listed-items.ts';
export { type ItemReference, referencesOf, withItems } from './references.ts';
export type { BackgroundIdentity, ResponsesResponse } from './response.ts';
export type { ResponsesStream } from './stream.ts';

/** What a service that stores responses adds to a request. */
export interface ResponsesState extends EarlierItems {
  /** Responses are stored, except where `store` is false. */
  stores: boolean;
  /** The id of the conversation whose items are the earlier ones. */
  conversation?: string | undefined;
  /** Absent if no response is made of the request. */
  sealSummary?: SealSummary | undefined;
  /** Of a response that is made in the background. */
  identity?: BackgroundIdentity;
}

export interface ResponsesCall extends DialectCall {
  id: string;
  /** The response is to be stored. */
  store: boolean;
  /** The input of this request alone. Items without an id get one that names this response. */
  input(responseId?: string): ListedItem[];
  /** The response while it has no answer. */
  unanswered(progress: Pick<ResponseProgress, 'status' | 'error'>): ResponsesResponse;
  answer(...completion: Parameters<DialectCall['answer']>): ResponsesResponse;
  stream(): ResponsesStream;
  passed: PassedAnswer;
}

/** `POST /v1/responses`. Without state, nothing is stored and each request brings its whole conversation. */
export const openAiResponses = {
  name: 'openai-responses',
  read(
    { body: arrived, bytes, now, newId, ...asked }: DialectRequest,
    state: ResponsesState = { ...statelessItems(arrived), stores: false },
  ): ResponsesCall {
    const { body, isTriggered } = readTrigger(withItems(arrived, state.referenced));
    const members = isPlainObject(body) ? body : {};
    const store = state.stores && members.store !== false;
    const names = createToolNames();
    // Of a request that cannot be translated, the response repeats only this.
    const inBackground = state.identity && { background: true as const };
    let request: ResponsesRequest = { model: String(members.model), input: '', store, ...inBackground };
    const read = readResponsesRequest({ body: arrived, bytes, items: state }, () => {
      request = { ...parseResponsesRequest(withItems(body, placedItems(state))), store, ...inBackground };
      const chat = toChatRequest(request, conversationOf(inputItems(request), state), names);
      return isTriggered ? compactionChat(chat) : chat;
    });
    const known = state.identity ?? { id: newResponseId(newId), created_at: now() };
    const { id } = known;
    const newItemId = createItemIds(id);
    const conversation = state.conversation === undefined ? null : { id: state.conversation };
    const identity = { ...known, conversation };
    const sealSummary = isTriggered ? state.sealSummary : undefined;
    const modelOf = answeredModel(request.model, asked);
    const context: ResponsesContext = { request, modelOf, identity, names, newId: newItemId, now, sealSummary };
    const previous = members.previous_response_id;
    return {
      ...read,
      needsText: isTriggered,
      ignored: ignoredMembers(body, responsesMembersRead),
      id,
      store,
      input: (of = id) => listedItems(itemsOfBody(members), of === id ? newItemId : createItemIds(of)),
      unanswered: (progress) => responseObject(request, identity, { ...progress, output: [], usage: null }),
      answer: (completion) => toResponse(completion, context),
      stream: () => createResponsesStream(context),
      passed: passedResponse(context, {
        ...(store && { store }),
        ...(state.identity && { ...state.identity, ...inBackground }),
        ...(typeof previous === 'string' && { previous_response_id: previous }),
        ...(conversation && { conversation }),
      }),
    };
  },
  errors: responsesErrors,
  memberNames: responsesMemberNames,
} satisfies Dialect;

export const newResponseId = (newId: DialectRequest['newId']): string => `resp_${newId()}`;
