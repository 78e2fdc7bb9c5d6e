import { endUserOf, type GatewayError, type RequestHead } from '@tallyport/contracts';
import type { ModelIndex } from '@tallyport/dispatch';
import { readSuffix } from '@tallyport/serving';
import type { ChatRequest, NativeRequest, ProviderPreferences } from '@tallyport/wire';

/** A chat as an API's own reader understands it. */
export interface ReadRequest {
  request: ChatRequest;
  /** The request in the client's own API, for providers that have it as well. */
  native?: NativeRequest | undefined;
  /** Why only those can serve it; `request` is an outline for estimates then. */
  untranslatable?: GatewayError | undefined;
  /** Its response is made of a text. */
  needsText?: boolean | undefined;
  /** Members that the gateway does not know; absent if it knows all. */
  unknownMembers?: readonly string[] | undefined;
  /** Members of its API that a chat does not have, and that change an answer; absent if there is none. */
  ignoredMembers?: readonly string[] | undefined;
  /** The end user as the API names it; the chat's members name it if absent. */
  endUser?: string | undefined;
  /** The models that stand in for that of the request, in their order. */
  standIns?: readonly string[] | undefined;
  /** What it asks of the offer that serves it. */
  preferences?: ProviderPreferences | undefined;
  /** The API of the request; absent for chat completions. */
  api?: string | undefined;
  /** Called if it names a route. */
  onRoute?: (() => void) | undefined;
  /** The size of a chat that includes stored items, which are not in the body. */
  storedBytes?: number | undefined;
}

/** The end user of a chat: as its API names it, else as its members do. */
export const endUserOfChat = (head: RequestHead, { request, endUser }: ReadRequest): string | undefined =>
  endUserOf(head, endUser === undefined ? request : { user: endUser });

/** The request with another model, for which it is planned as well. */
export const withModel = (read: ReadRequest, model: string): ReadRequest => ({
  ...read,
  request: { ...read.request, model },
  native: read.native && { ...read.native, model },
});

/** The request without the suffix of its model, which says how offers are sorted. */
export function withSuffixRead(read: ReadRequest, index: ModelIndex): ReadRequest {
  const { model, preferences } = readSuffix({ model: read.request.model, preferences: read.preferences }, index);
  return model === read.request.model ? read : { ...withModel(read, model), preferences };
}
