import { responsesErrors } from '@switchyard/contracts';
import type { Dialect, DialectCall, DialectRequest } from '../dialect.ts';
import { toResponse } from './answer.ts';
import { conversationOf, inputItems } from './conversation.ts';
import { createItemIds } from './item-ids.ts';
import type { ResponsesItem } from './item-schema.ts';
import { type ListedItem, listedItems } from './listed-items.ts';
import { toChatRequest } from './request.ts';
import { parseResponsesRequest } from './request-schema.ts';
import type { ResponsesResponse } from './response.ts';
import { createResponsesStream, type ResponsesStream } from './stream.ts';
import { createToolNames } from './tool-names.ts';
import type { ResponsesContext } from './writer.ts';

export { previousResponseOf, readStoredItems } from './conversation.ts';
export { responseOfItem } from './item-ids.ts';
export { itemPage } from './item-page.ts';
export type { ResponsesItem } from './item-schema.ts';
export type { ListedItem } from './listed-items.ts';
export { type ItemReference, referencesOf, withItems } from './references.ts';
export type { ResponsesResponse } from './response.ts';
export type { ResponsesStream } from './stream.ts';

/** What a service that stores responses adds to a request. */
export interface ResponsesState {
  /** The items of the responses that the request continues, in order. */
  earlier: readonly ResponsesItem[];
  /** Responses are stored, except where `store` is false. */
  stores: boolean;
}

export interface ResponsesCall extends DialectCall {
  id: string;
  /** The response is to be stored. */
  store: boolean;
  /** The input of this request alone. */
  input(): ListedItem[];
  answer(...completion: Parameters<DialectCall['answer']>): ResponsesResponse;
  stream(): ResponsesStream;
}

/** `POST /v1/responses`. Without state, nothing is stored and each request brings its whole conversation. */
export const openAiResponses = {
  name: 'openai-responses',
  read({ body, now, newId }: DialectRequest, { earlier, stores }: ResponsesState = stateless): ResponsesCall {
    const parsed = parseResponsesRequest(body);
    const store = stores && parsed.store !== false;
    const request = { ...parsed, store };
    const names = createToolNames();
    const own = inputItems(request);
    const chat = toChatRequest(request, conversationOf(own, earlier), names);
    const id = `resp_${newId()}`;
    const newItemId = createItemIds(id);
    const context: ResponsesContext = { request, identity: { id, created_at: now }, names, newId: newItemId };
    return {
      id,
      store,
      chat,
      input: () => listedItems(own, newItemId),
      answer: (completion) => toResponse(completion, context),
      stream: () => createResponsesStream(context),
    };
  },
  errors: responsesErrors,
} satisfies Dialect;

const stateless: ResponsesState = { earlier: [], stores: false };
