import type { IncomingExchange } from '@tallyport/bus';
import type { GatewayError, Model, Principal, RequestHead } from '@tallyport/contracts';
import { base64Length, type HoldBytes, type ModelIndex, type PlanGround, resolveModel } from '@tallyport/dispatch';
import { estimateChat } from '@tallyport/pricing';
import { holdBody } from '@tallyport/serving/replay';
import type {
  ApiForm,
  ByteBudget,
  GuardrailTools,
  Lease,
  PaidEndpoint,
  PaidRequest,
  RequestDraft,
} from '@tallyport/serving';
import type { ChatRequest, NativeRequest } from '@tallyport/wire';
import type { PromptAffinity } from './affinity/prompt-affinity.ts';
import { attemptChat, type ChatAttemptTools } from './attempt-chat.ts';
import { chatCacheTerms } from './cache/cache-terms.ts';
import { chatContent } from './content/chat-content.ts';
import { copiesOfRequest } from './copies-of-request.ts';
import { type ImageChatTools, readImageChat } from './image-chat.ts';
import { isImageOnly } from './images/is-image-only.ts';
import { withImageModality } from './images/image-modality.ts';
import { parseRequest } from './parse-request.ts';
import { planTextChat } from './planning.ts';
import { findUnknownMembers, refuseUnknownMembers, warningHeaders } from './unknown-members.ts';

export interface CompleteTools extends ImageChatTools, ChatAttemptTools {
  guardrails: GuardrailTools;
  budget: ByteBudget;
  maxBodyBytes: number;
  affinity: PromptAffinity;
  /** Throws `unavailable` until there is a catalogue. */
  index(): ModelIndex;
  /** The basis of plans, with the account's own keys if it has any. */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
}

/** A chat as an API's own reader understands it. */
export interface ReadRequest {
  request: ChatRequest;
  /** The request in the client's own API, for providers that have it as well. */
  native?: NativeRequest | undefined;
  /** Why only those can serve it; `request` is an outline for estimates then. */
  untranslatable?: GatewayError | undefined;
  /** Members that the gateway does not know; absent if it knows all. */
  unknownMembers?: readonly string[] | undefined;
  /** The size of a chat that includes stored items, which are not in the body. */
  storedBytes?: number | undefined;
}

/** An API whose requests are chats. */
export interface ChatApi {
  /** Distinguishes its requests from those of other APIs with the same body and Idempotency-Key. */
  operation: string;
  read(body: Uint8Array, head: RequestHead): ReadRequest;
  /** OpenAI's when absent. */
  form?: ApiForm;
}

/** `POST /v1/chat/completions`. If it is strict, members that the gateway does not know are refused. */
export const chatCompletions = ({ isStrict }: { isStrict: boolean }): ChatApi => ({
  operation: 'chat',
  read(body, head) {
    const request = parseRequest(body, head);
    const unknownMembers = findUnknownMembers(request);
    if (isStrict) refuseUnknownMembers(unknownMembers);
    return { request, unknownMembers };
  },
});

export const chatEndpoint = (tools: CompleteTools, api: ChatApi): PaidEndpoint => ({
  name: api.operation,
  operation: 'chat',
  events: tools.events,
  lease: () => tools.budget.lease(copiesOfRequest),
  read: (exchange, draft, held) => readChat(tools, { api, exchange, held, draft }),
});

interface HeldExchange {
  api: ChatApi;
  exchange: IncomingExchange;
  held: Lease;
  draft: RequestDraft;
}

async function readChat(tools: CompleteTools, { api, exchange, held, draft }: HeldExchange): Promise<PaidRequest> {
  const startedAt = performance.now();
  const { head } = exchange;
  const { body: bytes } = await holdBody(exchange, { maxBodyBytes: tools.maxBodyBytes, lease: () => held });
  const read = readByChats(api.read(bytes, head), tools.guardrails, head);
  const { request, unknownMembers, untranslatable, storedBytes } = read;
  draft.model = request.model;
  if (storedBytes !== undefined) held.take(storedBytes);
  const { model } = resolveModel(request.model, tools.index());
  const { form } = api;
  const received = { head, form, bodyBytes: bytes.length, startedAt, holdBytes: holderOfImages(held) };
  if (!isImageOnly(model)) {
    return planChatRequest(tools, { ...read, ...received, request: withImageModality(request, model), model });
  }
  if (untranslatable !== undefined) throw untranslatable;
  return readImageChat(tools, { ...received, request, unknownMembers });
}

/** Rules for answers read chats, so such answers are translated. Throws if the request could only be passed on. */
export function readByChats(read: ReadRequest, guardrails: GuardrailTools, { principal }: RequestHead): ReadRequest {
  if (guardrails.of(principal)?.answer === undefined) return read;
  if (read.untranslatable !== undefined) throw read.untranslatable;
  return { ...read, native: undefined };
}

/** A text chat after reading and finding its model. */
interface ReadChat extends ReadRequest {
  head: RequestHead;
  form: ApiForm | undefined;
  model: Model;
  /** The length of the body as received. */
  bodyBytes: number;
  startedAt: number;
  holdBytes: HoldBytes;
}

/** Fetched images are held as base64 text. */
const holderOfImages =
  (held: Lease): HoldBytes =>
  (bytes) =>
    held.take(base64Length(bytes));

async function planChatRequest(tools: CompleteTools, chat: ReadChat): Promise<PaidRequest> {
  const { head, form, request, native, untranslatable, unknownMembers, model, startedAt, holdBytes } = chat;
  const stream = request.stream === true;
  const ground = await tools.groundFor(head.principal);
  const affinity = tools.affinity.of({ head, request, model, ground });
  const question = { head, request, native, untranslatable, model, cachedAt: affinity?.cachedAt() };
  const plan = planTextChat(question, tools.imageTargets, ground);
  const planMs = performance.now() - startedAt;
  return {
    operation: 'chat',
    plan,
    planMs,
    stream,
    headers: warningHeaders(unknownMembers),
    form,
    cache: chatCacheTerms({ ...chat, plan, planMs }, tools.keepAliveMs),
    content: chatContent(head, request, native),
    estimate: () => estimateChat(request),
    attempt: (life) =>
      attemptChat(tools, { head, request, native, unknownMembers, plan, stream, holdBytes, affinity }, life),
  };
}
