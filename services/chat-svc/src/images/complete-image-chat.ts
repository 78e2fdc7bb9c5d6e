import { randomUUID } from 'node:crypto';
import type { ExchangeAnswer, IncomingExchange } from '@switchyard/bus';
import type { Principal, RequestHead } from '@switchyard/contracts';
import {
  type ImageDispatch,
  type ImageDispatchOptions,
  imageRefusalIn,
  type ImageTask,
  type Plan,
  type PlanGround,
  planImage,
  type ServedImages,
} from '@switchyard/dispatch';
import {
  asksNoFallback,
  endOfImages,
  estimateImages,
  type Metered,
  type Metering,
  servedHeaders,
  slicedAnswer,
} from '@switchyard/dispatch-kit';
import { refusalAnswer, type TokenLimits } from '@switchyard/limits';
import type { ImageCall } from '@switchyard/providers';
import { within } from '@switchyard/service-kit';
import type { ChatRequest } from '@switchyard/wire';
import { streamHeaders } from '../answer/stream-headers.ts';
import type { ChatEvents } from '../events.ts';
import { estimateTokens } from '../limits/estimate-tokens.ts';
import { settling } from '../limits/settling.ts';
import { earlySource } from '../stream/early-source.ts';
import { StreamBody } from '../stream/stream-body.ts';
import { type ImageAnswer, imageCompletionSlices, imageEventSlices } from './image-answer.ts';
import { imageSource } from './image-source.ts';
import { chatOutcomeOf, chatUsageOf } from './image-usage.ts';
import { readImageChat } from './read-image-chat.ts';

export interface ImageChatTools {
  imageDispatch: ImageDispatch;
  imageTargets: ImageDispatchOptions['targets'];
  /** Everything a plan for images is made from now, with the account's own keys where it has any. */
  imageGroundFor(principal: Principal | undefined): Promise<PlanGround>;
  events: ChatEvents;
  tokens: TokenLimits;
  metering: Metering;
  keepAliveMs: number;
  /** A stream's head is sent after this long, content or not. */
  headAfterMs: number;
}

/** A chat that is understood and planned: called, it is answered. */
export type Understood = (planMs: number) => Promise<ExchangeAnswer>;

/** A chat with a model that only paints: its last message is what the image shall be. */
export async function understandImageChat(
  tools: ImageChatTools,
  exchange: IncomingExchange,
  request: ChatRequest,
): Promise<Understood> {
  const { head, signal } = exchange;
  const { call, imagePaths } = readImageChat(request);
  const ground = await tools.imageGroundFor(head.principal);
  const plan = planImageChat({ model: request.model, call, head }, tools.imageTargets, ground);
  const tokens = await tools.tokens.reserve(head.principal, () => estimateTokens(request));
  if (tokens && 'error' in tokens) {
    tools.events.refused(head, tokens.error);
    return async () => refusalAnswer(tokens);
  }
  const stream = request.stream === true;
  const asked = { head, operation: 'chat', plan, stream } as const;
  const metered = await tools.metering.enter(asked, () => estimateImages(call));
  if ('error' in metered) {
    tokens?.settle(0);
    tools.events.refused(head, metered.error);
    return async () => refusalAnswer(metered);
  }
  const ended = settling(tokens, tools.events.begin({ head, plan, stream }));
  const task: ImageTask = {
    ...{ call, imagePaths, plan, signal },
    onOutcome(outcome) {
      metered.ended(endOfImages(outcome));
      ended(chatOutcomeOf(outcome, call.prompt));
    },
  };
  const completionId = `chatcmpl-${randomUUID().replaceAll('-', '')}`;
  const chat: ImageChat = { exchange, request, task, metered, completionId, tokenHeaders: tokens?.headers ?? {} };
  return (planMs) => (stream ? answerStream(tools, chat, planMs) : answerPlain(tools, chat, planMs));
}

export interface PaintedQuestion {
  model: string;
  call: ImageCall;
  head: RequestHead;
}

/** Which offers to try. Throws as `planChat` does. */
export const planImageChat = (
  { model, call, head }: PaintedQuestion,
  targets: ImageDispatchOptions['targets'],
  ground: PlanGround,
): Plan =>
  planImage(
    {
      model,
      editing: call.operation === 'edit',
      refusal: imageRefusalIn(call, targets),
      principal: head.principal,
      noFallback: asksNoFallback(head),
    },
    ground,
  );

interface ImageChat {
  exchange: IncomingExchange;
  request: ChatRequest;
  task: ImageTask;
  metered: Metered;
  completionId: string;
  /** What its tokens leave of a limit; nothing where there is none. */
  tokenHeaders: Record<string, string>;
}

async function answerPlain(tools: ImageChatTools, chat: ImageChat, planMs: number): Promise<ExchangeAnswer> {
  const startedAt = performance.now();
  const answer = answerOf(chat, await tools.imageDispatch.make(chat.task));
  await chat.metered.settled();
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...chat.tokenHeaders,
    ...headersOf(answer, { planMs, startedAt }),
  };
  return slicedAnswer({ status: 200, headers }, imageCompletionSlices(answer));
}

/** Images take their time: after a while the head is sent, and comments keep the line open. */
async function answerStream(tools: ImageChatTools, chat: ImageChat, planMs: number): Promise<ExchangeAnswer> {
  const startedAt = performance.now();
  const { keepAliveMs, headAfterMs } = tools;
  const { settled } = chat.metered;
  const includeUsage = chat.request.stream_options?.include_usage === true;
  const pending = tools.imageDispatch.make(chat.task).then((made) => answerOf(chat, made));
  const sourceOf = (answer: ImageAnswer) => imageSource(imageEventSlices(answer, includeUsage));
  const answer = await within(pending, headAfterMs);
  if (answer === undefined) {
    const headers = { ...streamHeaders, ...chat.tokenHeaders, 'x-switchyard-cache': 'BYPASS' };
    return {
      head: { status: 200, headers },
      body: new StreamBody({ source: earlySource(pending.then(sourceOf)), keepAliveMs, settled }),
    };
  }
  const headers = { ...streamHeaders, ...chat.tokenHeaders, ...headersOf(answer, { planMs, startedAt }) };
  return { head: { status: 200, headers }, body: new StreamBody({ source: sourceOf(answer), keepAliveMs, settled }) };
}

function answerOf({ exchange, task, completionId }: ImageChat, made: ServedImages): ImageAnswer {
  return {
    served: { head: exchange.head, plan: task.plan, offer: made.offer, completionId },
    created: Math.floor(Date.now() / 1000),
    made,
    usage: chatUsageOf(made, task.call.prompt),
  };
}

const headersOf = ({ served, made }: ImageAnswer, { planMs, startedAt }: { planMs: number; startedAt: number }) =>
  servedHeaders(served, { planMs, upstreamMs: performance.now() - startedAt, attempts: made.routing.length });
