import { randomUUID } from 'node:crypto';
import type { ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import type { Model, Principal, RequestHead } from '@switchyard/contracts';
import {
  type ChatJob,
  type ChatOutcome,
  type Dispatch,
  type ModelIndex,
  type Plan,
  type PlanGround,
  resolveModel,
} from '@switchyard/dispatch';
import { chatSettlement } from '@switchyard/metering';
import { estimateChat } from '@switchyard/pricing';
import { type PaidAnswer, type PaidRequest, type RequestLife, servePaid, type ServingTools } from '@switchyard/serving';
import type { ChatRequest } from '@switchyard/wire';
import { chunkRenderer } from './answer/chunk.ts';
import { completionSlices } from './answer/completion.ts';
import { chatCacheTerms } from './cache/cache-terms.ts';
import { type ImageChatTools, readImageChat } from './image-chat.ts';
import { onlyPaints } from './images/only-paints.ts';
import { withImagesAsked } from './images/speaks-and-paints.ts';
import { parseRequest } from './parse-request.ts';
import { planWords } from './planning.ts';
import type { SignatureMemory } from './signatures/signature-memory.ts';

export interface CompleteTools extends ServingTools, ImageChatTools {
  dispatch: Dispatch;
  /** Throws `unavailable` while there is no catalogue. */
  index(): ModelIndex;
  /** Everything a plan is made from now, with the account's own keys where it has any. */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  signatures: SignatureMemory;
  maxBodyBytes: number;
}

/** `POST /v1/chat/completions`. */
export const completeChat = (tools: CompleteTools): ExchangeHandler =>
  servePaid(tools, { events: tools.events, read: (exchange) => readChat(tools, exchange) });

async function readChat(tools: CompleteTools, { head, body }: IncomingExchange): Promise<PaidRequest> {
  const startedAt = performance.now();
  const bytes = await body.bytes(tools.maxBodyBytes);
  const request = parseRequest(bytes);
  const { model } = resolveModel(request.model, tools.index());
  const chat = { head, request, bodyBytes: bytes.length, startedAt };
  if (onlyPaints(model)) return readImageChat(tools, chat);
  return planned(tools, { ...chat, request: withImagesAsked(request, model), model });
}

interface ReadChat {
  head: RequestHead;
  request: ChatRequest;
  model: Model;
  /** Of the body as it came. */
  bodyBytes: number;
  startedAt: number;
}

async function planned(tools: CompleteTools, chat: ReadChat): Promise<PaidRequest> {
  const { head, request, startedAt } = chat;
  const stream = request.stream === true;
  const plan = planWords(chat, tools.imageTargets, await tools.groundFor(head.principal));
  const planMs = performance.now() - startedAt;
  return {
    operation: 'chat',
    plan,
    planMs,
    stream,
    cache: chatCacheTerms({ ...chat, plan, planMs }, tools.keepAliveMs),
    estimate: () => estimateChat(request),
    attempt: (life) => attemptChat(tools, { head, request, plan, stream }, life),
  };
}

interface PlannedChat {
  head: RequestHead;
  request: ChatRequest;
  plan: Plan;
  stream: boolean;
}

async function attemptChat(tools: CompleteTools, chat: PlannedChat, life: RequestLife): Promise<PaidAnswer> {
  const { head, request, plan, stream } = chat;
  const conversation = { accountId: head.principal?.accountId, plan, request };
  const signatures = await tools.signatures.recall(conversation);
  const keepSignature = tools.signatures.keeper(conversation);
  const ended = tools.events.begin({ head, plan, stream });
  let outcome: ChatOutcome | undefined;
  const job: ChatJob = {
    call: { request, stream, ...(signatures && { signatures }) },
    plan,
    signal: life.signal,
    completionId: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(Date.now() / 1000),
    onOutcome(result) {
      outcome = result;
      life.settle(chatSettlement(result));
      ended(result);
    },
    ...(keepSignature && { keepSignature }),
  };
  return stream ? answerStream(tools, chat, { job, ending: () => outcome }) : answerWhole(tools, chat, job);
}

async function answerWhole({ dispatch }: CompleteTools, chat: PlannedChat, job: ChatJob): Promise<PaidAnswer> {
  const answer = await dispatch.complete(job);
  const { offer, routing } = answer;
  const slices = completionSlices({ ...chat, offer, completionId: job.completionId }, answer);
  return { offer, attempts: routing.length, content: { kind: 'whole', document: () => slices, complete: true } };
}

interface StreamingJob {
  job: ChatJob;
  ending(): ChatOutcome | undefined;
}

async function answerStream(
  { dispatch }: CompleteTools,
  chat: PlannedChat,
  { job, ending }: StreamingJob,
): Promise<PaidAnswer> {
  const source = await dispatch.stream(job);
  const { offer } = source;
  const includeUsage = chat.request.stream_options?.include_usage === true;
  const served = { ...chat, offer, completionId: job.completionId };
  source.render(chunkRenderer({ served, stream: source, includeUsage }));
  return { offer, attempts: source.routing().length, content: { kind: 'stream', source, ending } };
}
