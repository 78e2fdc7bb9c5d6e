import { randomUUID } from 'node:crypto';
import type { Making } from '@switchyard/answer-cache';
import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import { type Model, type Offer, type Principal, toGatewayError } from '@switchyard/contracts';
import {
  type ChatJob,
  type Dispatch,
  type ModelIndex,
  type Plan,
  type PlanGround,
  type ServedStream,
  needsOf,
  planChat,
  resolveModel,
  unsupportedIn,
} from '@switchyard/dispatch';
import {
  asksNoFallback,
  endOfChat,
  estimateChat,
  type Metered,
  servedHeaders,
  slicedAnswer,
} from '@switchyard/dispatch-kit';
import { refusalAnswer, type TokenRefusal } from '@switchyard/limits';
import { within } from '@switchyard/service-kit';
import type { ChatRequest } from '@switchyard/wire';
import { chunkRenderer } from './answer/chunk.ts';
import { completionSlices } from './answer/completion.ts';
import type { ServedChat } from './answer/served.ts';
import { streamHeaders } from './answer/stream-headers.ts';
import type { PlannedChat } from './cache/through-cache.ts';
import { type ImageChatTools, type Understood, understandImageChat } from './images/complete-image-chat.ts';
import { onlyPaints } from './images/only-paints.ts';
import { imageConfigRefusal, withImagesAsked } from './images/speaks-and-paints.ts';
import { estimatedUse, estimateTokens } from './limits/estimate-tokens.ts';
import { settling } from './limits/settling.ts';
import { parseRequest } from './parse-request.ts';
import type { SignatureMemory } from './signatures/signature-memory.ts';
import { earlySource } from './stream/early-source.ts';
import { StreamBody, type StreamSource } from './stream/stream-body.ts';

export interface CompleteTools extends ImageChatTools {
  dispatch: Dispatch;
  /** Throws `unavailable` while there is no catalogue. */
  index(): ModelIndex;
  /** Everything a plan is made from now, with the account's own keys where it has any. */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  signatures: SignatureMemory;
  maxBodyBytes: number;
}

/** `POST /v1/chat/completions`: parse, plan, try, answer. */
export function completeChat(tools: CompleteTools): ExchangeHandler {
  return async (exchange) => {
    const startedAt = performance.now();
    const answer = await understand(tools, exchange).catch((thrown: unknown) => {
      const error = toGatewayError(thrown);
      tools.events.refused(exchange.head, error);
      throw error;
    });
    const planMs = performance.now() - startedAt;
    tools.events.planned(planMs);
    return answer(planMs);
  };
}

async function understand(tools: CompleteTools, exchange: IncomingExchange): Promise<Understood> {
  const body = await exchange.body.bytes(tools.maxBodyBytes);
  const request = parseRequest(body);
  const { model } = resolveModel(request.model, tools.index());
  if (onlyPaints(model)) return understandImageChat(tools, exchange, { request, bodyBytes: body.length });
  const asked = { request: withImagesAsked(request, model), model };
  const chat = { exchange, request: asked.request, plan: await plan(tools, exchange, asked), bodyBytes: body.length };
  return (planMs) =>
    tools.throughCache({ ...chat, planMs }, (making) => answerAnew(tools, { ...chat, planMs, ...making }));
}

interface Asked {
  request: ChatRequest;
  model: Model;
}

async function plan(tools: CompleteTools, { head }: IncomingExchange, { request, model }: Asked): Promise<Plan> {
  const stream = request.stream === true;
  const question = {
    model: request.model,
    needs: needsOf(request),
    unsupported: unsupportedIn({ request, stream }),
    refusal: imageConfigRefusal(request, model, tools.imageTargets),
    principal: head.principal,
    noFallback: asksNoFallback(head),
  };
  return planChat({ ...question, streaming: stream }, await tools.groundFor(head.principal));
}

/** One chat that providers are asked for. */
interface Chat extends PlannedChat, Making {
  job: ChatJob;
  metered: Metered;
  /** What its tokens leave of a limit; nothing where there is none. */
  tokenHeaders: Record<string, string>;
}

async function answerAnew(tools: CompleteTools, planned: PlannedChat & Making): Promise<ExchangeAnswer> {
  const chat = await begun(tools, planned);
  if ('error' in chat) {
    planned.taking?.failed(chat.error);
    tools.events.refused(planned.exchange.head, chat.error);
    return refusalAnswer(chat);
  }
  return planned.request.stream === true ? answerStream(tools, chat) : answerPlain(tools, chat);
}

async function begun(tools: CompleteTools, planned: PlannedChat & Making): Promise<Chat | TokenRefusal> {
  const { exchange, request, plan: chosen, taking } = planned;
  const { head, signal } = exchange;
  const stream = request.stream === true;
  const asking = { accountId: head.principal?.accountId, plan: chosen, request };
  const signatures = await tools.signatures.recall(asking);
  const tokens = await tools.tokens.reserve(head.principal, () => estimateTokens(request));
  if (tokens && 'error' in tokens) return tokens;
  const used = { head, operation: 'chat', plan: chosen, stream } as const;
  const metered = await tools.metering.enter(used, () => estimateChat(estimatedUse(request)));
  if ('error' in metered) {
    tokens?.settle(0);
    return metered;
  }
  const keepSignature = tools.signatures.keeper(asking);
  const ended = settling(tokens, tools.events.begin({ head, plan: chosen, stream }));
  const job: ChatJob = {
    call: { request, stream, ...(signatures && { signatures }) },
    plan: chosen,
    signal: taking?.signal ?? signal,
    completionId: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(Date.now() / 1000),
    onOutcome(outcome) {
      taking?.outcome(outcome);
      metered.ended(endOfChat(outcome));
      ended(outcome);
    },
    ...(keepSignature && { keepSignature }),
  };
  return { ...planned, job, metered, tokenHeaders: tokens?.headers ?? {} };
}

async function answerPlain(tools: CompleteTools, chat: Chat): Promise<ExchangeAnswer> {
  const startedAt = performance.now();
  const answer = await tools.dispatch.complete(chat.job);
  const served = servedBy(chat, answer.offer);
  const timing = { planMs: chat.planMs, upstreamMs: performance.now() - startedAt, attempts: answer.routing.length };
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...chat.tokenHeaders,
    ...servedHeaders(served, timing),
    'x-switchyard-cache': chat.mode,
  };
  const slices = completionSlices(served, answer);
  await chat.metered.settled();
  chat.taking?.whole(answer.offer.providerId, slices);
  return slicedAnswer({ status: 200, headers }, slices);
}

async function answerStream(tools: CompleteTools, chat: Chat): Promise<ExchangeAnswer> {
  const startedAt = performance.now();
  const { keepAliveMs, headAfterMs } = tools;
  const { settled } = chat.metered;
  const pending = begunStream(tools, chat);
  const begunInTime = await within(pending, headAfterMs);
  if (begunInTime === undefined) {
    const headers = { ...streamHeaders, ...chat.tokenHeaders, 'x-switchyard-cache': chat.mode };
    const source = earlySource(pending.then(({ source: late }) => late));
    return { head: { status: 200, headers }, body: new StreamBody({ source, keepAliveMs, settled }) };
  }
  const { stream, source } = begunInTime;
  const upstreamMs = performance.now() - startedAt;
  const timing = { planMs: chat.planMs, upstreamMs, attempts: stream.routing().length };
  const served = servedHeaders(servedBy(chat, stream.offer), timing);
  const headers = { ...streamHeaders, ...chat.tokenHeaders, ...served, 'x-switchyard-cache': chat.mode };
  return { head: { status: 200, headers }, body: new StreamBody({ source, keepAliveMs, settled }) };
}

interface BegunStream {
  stream: ServedStream;
  /** What of it is read here. */
  source: StreamSource;
}

async function begunStream(tools: CompleteTools, chat: Chat): Promise<BegunStream> {
  const { job, request, taking } = chat;
  try {
    const stream = await tools.dispatch.stream(job);
    const includeUsage = request.stream_options?.include_usage === true;
    stream.render(chunkRenderer({ served: servedBy(chat, stream.offer), stream, includeUsage }));
    return { stream, source: taking?.stream(stream.offer.providerId, stream) ?? stream };
  } catch (thrown) {
    taking?.failed(toGatewayError(thrown));
    throw thrown;
  }
}

const servedBy = ({ exchange, plan: chosen, job }: Chat, offer: Offer): ServedChat => ({
  head: exchange.head,
  plan: chosen,
  offer,
  completionId: job.completionId,
});
