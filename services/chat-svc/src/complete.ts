import type { IncomingExchange } from '@tallyport/bus';
import {
  GatewayError,
  longestTierName,
  type Model,
  type Offer,
  type Principal,
  type RequestHead,
} from '@tallyport/contracts';
import {
  base64Length,
  groundOfDeferrable,
  type HoldBytes,
  type ModelIndex,
  offersBefore,
  type PlanGround,
  type PlannedRoute,
  resolveModel,
  routedPlan,
  type Targets,
} from '@tallyport/dispatch';
import { estimateChat } from '@tallyport/pricing';
import { holdBody } from '@tallyport/serving/replay';
import {
  type ApiForm,
  type ByteBudget,
  type GuardrailTools,
  type Lease,
  type PaidEndpoint,
  type PaidRequest,
  planModels,
  type RequestDraft,
  type RouteGround,
} from '@tallyport/serving';
import type { PromptAffinity } from './affinity/prompt-affinity.ts';
import { attemptChat, type ChatAttemptTools } from './attempt-chat.ts';
import { chatCacheTerms } from './cache/cache-terms.ts';
import { chatContent } from './content/chat-content.ts';
import { copiesOfRequest } from './copies-of-request.ts';
import { type ImageChatTools, readImageChat } from './image-chat.ts';
import { isImageOnly } from './images/is-image-only.ts';
import { withImageModality } from './images/image-modality.ts';
import { chatRoutes } from './named-routes/chat-routes.ts';
import { parseRequest } from './parse-request.ts';
import { planTextChat } from './planning.ts';
import type { PromptUses } from './prompt-uses/prompt-uses.ts';
import { endUserOfChat, type ReadRequest, withModel, withSuffixRead } from './read-request.ts';
import { type ShadowedRequest, type ShadowTools, withShadow } from './shadows/with-shadow.ts';
import { withinTiers } from './within-tiers.ts';
import { strictPlan } from './strict-plan.ts';
import { findUnknownMembers, refuseUnknownMembers, warningHeaders } from './unknown-members.ts';

export interface CompleteTools extends ImageChatTools, ChatAttemptTools, RouteGround, ShadowTools {
  guardrails: GuardrailTools;
  budget: ByteBudget;
  maxBodyBytes: number;
  affinity: PromptAffinity;
  promptUses: PromptUses;
  /** Throws `unavailable` until there is a catalogue. */
  index(): ModelIndex;
  /** Requests are refused that no offer gets as they are. */
  isStrict: boolean;
  /** The providers of operators. */
  chatTargets: Pick<Targets, 'custom'>;
  /** The basis of plans, with the account's own keys if it has any. */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
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
    const { request, ...asked } = parseRequest(body, head);
    const unknownMembers = findUnknownMembers(request);
    if (isStrict) refuseUnknownMembers(unknownMembers);
    return { request, unknownMembers, ...asked };
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
  const { request, standIns, preferences, storedBytes } = read;
  draft.model = request.model;
  draft.endUser = endUserOfChat(head, read);
  if (storedBytes !== undefined) held.take(storedBytes);
  const received = { head, form: api.form, bodyBytes: bytes.length, startedAt, holdBytes: holderOfImages(held) };
  const { model } = request;
  const routes = chatRoutes(tools, exchange, read);
  const planned = await planModels({ model, standIns, preferences, routes }, (asked, before) =>
    planWithModel(tools, withModel(read, asked.model), {
      ...received,
      route: asked.route,
      tried: offersBefore(before.map(({ plan }) => plan)),
    }),
  );
  return withShadow(tools, planned, {
    head,
    bytes: bytes.length + (storedBytes ?? 0),
    plan: (shadowed) => planShadow(tools, read, { ...received, ...shadowed }),
  });
}

/**
 * Plans a copy of a chat for another model. It is always translated: what a vendor carries out itself, such as calls of MCP
 * servers, must not happen twice.
 */
async function planShadow(
  tools: CompleteTools,
  read: ReadRequest,
  { model: name, ...received }: ReceivedChat & ShadowedRequest,
): Promise<PaidRequest> {
  const { model } = resolveModel(name, tools.index());
  if (isImageOnly(model)) throw new GatewayError('unsupported_capability', 'A shadow answers in text.');
  const startedAt = performance.now();
  const translated = { ...withModel(read, name), native: undefined };
  return planWithModel(tools, translated, { ...received, startedAt, tried: new Set() });
}

async function planWithModel(tools: CompleteTools, named: ReadRequest, received: PlacedChat): Promise<PaidRequest> {
  const read = withSuffixRead(named, tools.index());
  const { request, unknownMembers, untranslatable, needsText, preferences } = read;
  const { model } = resolveModel(request.model, tools.index());
  if (!isImageOnly(model)) {
    const within = withinTiers({ ...read, request: withImageModality(request, model) }, received.head, model);
    return planChatRequest(tools, { ...within, ...received, model });
  }
  if (untranslatable !== undefined) throw untranslatable;
  if (needsText)
    throw new GatewayError('unsupported_capability', 'Name a model that answers in text.', { param: 'model' });
  const { plan, ...image } = await readImageChat(tools, { ...received, request, unknownMembers, preferences });
  return { ...image, plan: routedPlan(plan, received.route) };
}

/** Rules for answers read chats, so such answers are translated. Throws if the request could only be passed on. */
export function readByChats(read: ReadRequest, guardrails: GuardrailTools, { principal }: RequestHead): ReadRequest {
  if (guardrails.of(principal)?.answer === undefined) return read;
  if (read.untranslatable !== undefined) throw read.untranslatable;
  return { ...read, native: undefined };
}

/** What is known of a chat besides its members. */
interface ReceivedChat {
  head: RequestHead;
  form: ApiForm | undefined;
  /** The length of the body as received. */
  bodyBytes: number;
  startedAt: number;
  holdBytes: HoldBytes;
}

/** A chat with one of its models. */
interface PlacedChat extends ReceivedChat {
  /** The route that led to the model. */
  route: PlannedRoute | undefined;
  tried: ReadonlySet<Offer>;
}

/** A text chat after reading and finding its model. */
interface ReadChat extends ReadRequest, PlacedChat {
  model: Model;
}

/** Fetched images are held as base64 text. */
const holderOfImages =
  (held: Lease): HoldBytes =>
  (bytes) =>
    held.take(base64Length(bytes));

async function planChatRequest(tools: CompleteTools, chat: ReadChat): Promise<PaidRequest> {
  const { head, form, request, native, untranslatable, unknownMembers, ignoredMembers, model, startedAt, holdBytes } =
    chat;
  const stream = request.stream === true;
  const current = await tools.groundFor(head.principal);
  const ground = head.batch?.mayDefer === true ? groundOfDeferrable(current) : current;
  const affinity = tools.affinity.of({ head, request, model, ground });
  const { preferences } = chat;
  const cachedAt = affinity?.cachedAt();
  const { chatTargets } = tools;
  const read = { head, request, native, untranslatable, model, preferences };
  const question = { ...read, chatTargets, cachedAt, tried: chat.tried };
  const planned = routedPlan(planTextChat(question, tools.imageTargets, ground), chat.route);
  const plan = tools.isStrict ? strictPlan(planned, chat, tools.chatTargets) : planned;
  const planMs = performance.now() - startedAt;
  const endUser = (): string | undefined => endUserOfChat(head, chat);
  return {
    plan,
    planMs,
    stream,
    tierAsked: request.service_tier?.slice(0, longestTierName),
    headers: warningHeaders(unknownMembers),
    form,
    cache: chatCacheTerms({ ...chat, plan, planMs }, tools.keepAliveMs),
    content: chatContent(head, request, native),
    estimate: () => estimateChat(request),
    attempt(life) {
      const reuse = tools.promptUses.of({ principal: head.principal, model, request });
      return attemptChat(
        tools,
        { head, request, native, unknownMembers, ignoredMembers, plan, stream, holdBytes, affinity, reuse, endUser },
        life,
      );
    },
  };
}
