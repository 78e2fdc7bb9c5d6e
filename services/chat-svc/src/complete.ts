import { randomUUID } from 'node:crypto';
import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import { type Model, type Offer, type Principal, toGatewayError } from '@switchyard/contracts';
import {
  type ChatJob,
  type Dispatch,
  type ModelIndex,
  type Plan,
  type PlanGround,
  needsOf,
  planChat,
  resolveModel,
  unsupportedIn,
} from '@switchyard/dispatch';
import { asksNoFallback, servedHeaders, slicedAnswer } from '@switchyard/dispatch-kit';
import { refusalAnswer, type TokenRefusal } from '@switchyard/limits';
import { within } from '@switchyard/service-kit';
import type { ChatRequest } from '@switchyard/wire';
import { chunkRenderer } from './answer/chunk.ts';
import { completionSlices } from './answer/completion.ts';
import type { ServedChat } from './answer/served.ts';
import { streamHeaders } from './answer/stream-headers.ts';
import { type ImageChatTools, onlyPaints, type Understood, understandImageChat } from './images/complete-image-chat.ts';
import { imageConfigRefusal, withImagesAsked } from './images/speaks-and-paints.ts';
import { estimateTokens } from './limits/estimate-tokens.ts';
import { settling } from './limits/settling.ts';
import { parseRequest } from './parse-request.ts';
import type { SignatureMemory } from './signatures/signature-memory.ts';
import { earlySource } from './stream/early-source.ts';
import { StreamBody } from './stream/stream-body.ts';

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
  const request = parseRequest(await exchange.body.bytes(tools.maxBodyBytes));
  const { model } = resolveModel(request.model, tools.index());
  if (onlyPaints(model)) return understandImageChat(tools, exchange, request);
  const chat = await planned(tools, exchange, { request: withImagesAsked(request, model), model });
  if ('error' in chat) {
    tools.events.refused(exchange.head, chat.error);
    return async () => refusalAnswer(chat);
  }
  const answer = request.stream === true ? answerStream : answerPlain;
  return (planMs) => {
    chat.planMs = planMs;
    return answer(tools, chat);
  };
}

/** One chat, understood and planned. */
interface Chat {
  exchange: IncomingExchange;
  request: ChatRequest;
  plan: Plan;
  job: ChatJob;
  /** What its tokens leave of a limit; nothing where there is none. */
  tokenHeaders: Record<string, string>;
  planMs: number;
}

interface Asked {
  request: ChatRequest;
  model: Model;
}

async function planned(
  tools: CompleteTools,
  exchange: IncomingExchange,
  { request, model }: Asked,
): Promise<Chat | TokenRefusal> {
  const { head, signal } = exchange;
  const stream = request.stream === true;
  const unsupported = unsupportedIn({ request, stream });
  const question = {
    model: request.model,
    needs: needsOf(request),
    unsupported,
    refusal: imageConfigRefusal(request, model, tools.imageTargets),
    principal: head.principal,
    noFallback: asksNoFallback(head),
  };
  const plan = planChat({ ...question, streaming: stream }, await tools.groundFor(head.principal));
  const asking = { accountId: head.principal?.accountId, plan, request };
  const signatures = await tools.signatures.recall(asking);
  const tokens = await tools.tokens.reserve(head.principal, () => estimateTokens(request));
  if (tokens && 'error' in tokens) return tokens;
  const keepSignature = tools.signatures.keeper(asking);
  const job: ChatJob = {
    call: { request, stream, ...(signatures && { signatures }) },
    plan,
    signal,
    completionId: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(Date.now() / 1000),
    onOutcome: settling(tokens, tools.events.begin({ head, plan, stream })),
    ...(keepSignature && { keepSignature }),
  };
  return { exchange, request, plan, job, tokenHeaders: tokens?.headers ?? {}, planMs: 0 };
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
  };
  return slicedAnswer({ status: 200, headers }, completionSlices(served, answer));
}

async function answerStream(tools: CompleteTools, chat: Chat): Promise<ExchangeAnswer> {
  const startedAt = performance.now();
  const { keepAliveMs, headAfterMs } = tools;
  const pending = tools.dispatch.stream(chat.job).then((stream) => {
    const includeUsage = chat.request.stream_options?.include_usage === true;
    stream.render(chunkRenderer({ served: servedBy(chat, stream.offer), stream, includeUsage }));
    return stream;
  });
  const stream = await within(pending, headAfterMs);
  if (stream === undefined) {
    const headers = { ...streamHeaders, ...chat.tokenHeaders, 'x-switchyard-cache': 'BYPASS' };
    return { head: { status: 200, headers }, body: new StreamBody({ source: earlySource(pending), keepAliveMs }) };
  }
  const upstreamMs = performance.now() - startedAt;
  const timing = { planMs: chat.planMs, upstreamMs, attempts: stream.routing().length };
  const headers = { ...streamHeaders, ...chat.tokenHeaders, ...servedHeaders(servedBy(chat, stream.offer), timing) };
  return { head: { status: 200, headers }, body: new StreamBody({ source: stream, keepAliveMs }) };
}

const servedBy = ({ exchange, plan, job }: Chat, offer: Offer): ServedChat => ({
  head: exchange.head,
  plan,
  offer,
  completionId: job.completionId,
});
