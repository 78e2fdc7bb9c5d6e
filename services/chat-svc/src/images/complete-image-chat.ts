import { randomUUID } from 'node:crypto';
import type { Making } from '@switchyard/answer-cache';
import type { ExchangeAnswer, IncomingExchange } from '@switchyard/bus';
import { type Principal, type RequestHead, toGatewayError } from '@switchyard/contracts';
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
import { refusalAnswer, type TokenLimits, type TokenRefusal } from '@switchyard/limits';
import type { ImageCall } from '@switchyard/providers';
import { within } from '@switchyard/service-kit';
import { streamHeaders } from '../answer/stream-headers.ts';
import type { ChatThroughCache, PlannedChat } from '../cache/through-cache.ts';
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
  throughCache: ChatThroughCache;
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
  asked: Pick<PlannedChat, 'request' | 'bodyBytes'>,
): Promise<Understood> {
  const { head } = exchange;
  const painting = readImageChat(asked.request);
  const ground = await tools.imageGroundFor(head.principal);
  const question = { model: asked.request.model, call: painting.call, head };
  const chat = { ...asked, exchange, plan: planImageChat(question, tools.imageTargets, ground) };
  return (planMs) =>
    tools.throughCache({ ...chat, planMs }, (making) => paintAnew(tools, { ...chat, painting, planMs, ...making }));
}

interface PaintedChat extends PlannedChat, Making {
  painting: ReturnType<typeof readImageChat>;
}

async function paintAnew(tools: ImageChatTools, painted: PaintedChat): Promise<ExchangeAnswer> {
  const chat = await begun(tools, painted);
  if ('error' in chat) {
    painted.taking?.failed(chat.error);
    tools.events.refused(painted.exchange.head, chat.error);
    return refusalAnswer(chat);
  }
  return painted.request.stream === true ? answerStream(tools, chat) : answerPlain(tools, chat);
}

async function begun(tools: ImageChatTools, painted: PaintedChat): Promise<ImageChat | TokenRefusal> {
  const { exchange, request, plan, painting, taking } = painted;
  const { head, signal } = exchange;
  const { call } = painting;
  const tokens = await tools.tokens.reserve(head.principal, () => estimateTokens(request));
  if (tokens && 'error' in tokens) return tokens;
  const stream = request.stream === true;
  const asked = { head, operation: 'chat', plan, stream } as const;
  const metered = await tools.metering.enter(asked, () => estimateImages(call));
  if ('error' in metered) {
    tokens?.settle(0);
    return metered;
  }
  const ended = settling(tokens, tools.events.begin({ head, plan, stream }));
  const task: ImageTask = {
    ...{ ...painting, plan, signal: taking?.signal ?? signal },
    onOutcome(outcome) {
      metered.ended(endOfImages(outcome));
      ended(chatOutcomeOf(outcome, call.prompt));
    },
  };
  const completionId = `chatcmpl-${randomUUID().replaceAll('-', '')}`;
  return { ...painted, task, metered, completionId, tokenHeaders: tokens?.headers ?? {} };
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

interface ImageChat extends PaintedChat {
  task: ImageTask;
  metered: Metered;
  completionId: string;
  /** What its tokens leave of a limit; nothing where there is none. */
  tokenHeaders: Record<string, string>;
}

async function answerPlain(tools: ImageChatTools, chat: ImageChat): Promise<ExchangeAnswer> {
  const startedAt = performance.now();
  const answer = await made(tools, chat);
  const headers = { 'content-type': 'application/json; charset=utf-8', ...headersOf(chat, answer, startedAt) };
  return slicedAnswer({ status: 200, headers }, imageCompletionSlices(answer));
}

/** Images take their time: after a while the head is sent, and comments keep the line open. */
async function answerStream(tools: ImageChatTools, chat: ImageChat): Promise<ExchangeAnswer> {
  const startedAt = performance.now();
  const { keepAliveMs, headAfterMs } = tools;
  const includeUsage = chat.request.stream_options?.include_usage === true;
  const pending = made(tools, chat);
  const sourceOf = (answer: ImageAnswer) => imageSource(imageEventSlices(answer, includeUsage));
  const answer = await within(pending, headAfterMs);
  if (answer === undefined) {
    const headers = { ...streamHeaders, ...chat.tokenHeaders, 'x-switchyard-cache': chat.mode };
    const source = earlySource(pending.then(sourceOf));
    return { head: { status: 200, headers }, body: new StreamBody({ source, keepAliveMs }) };
  }
  const headers = { ...streamHeaders, ...headersOf(chat, answer, startedAt) };
  return { head: { status: 200, headers }, body: new StreamBody({ source: sourceOf(answer), keepAliveMs }) };
}

/** The images, when their use is written down. Who waits for the same gets them in one piece, in whatever form they are asked for. */
async function made(tools: ImageChatTools, chat: ImageChat): Promise<ImageAnswer> {
  const { task, taking, metered } = chat;
  try {
    const answer = answerOf(chat, await tools.imageDispatch.make(task));
    await metered.settled();
    if (answer.made.failures.length > 0) taking?.incomplete();
    else taking?.whole(answer.made.offer.providerId, imageCompletionSlices(answer));
    return answer;
  } catch (thrown) {
    await metered.settled();
    taking?.failed(toGatewayError(thrown));
    throw thrown;
  }
}

function answerOf({ exchange, task, completionId }: ImageChat, images: ServedImages): ImageAnswer {
  return {
    served: { head: exchange.head, plan: task.plan, offer: images.offer, completionId },
    created: Math.floor(Date.now() / 1000),
    made: images,
    usage: chatUsageOf(images, task.call.prompt),
  };
}

const headersOf = (
  { planMs, tokenHeaders, mode }: ImageChat,
  { served, made: images }: ImageAnswer,
  startedAt: number,
) => ({
  ...tokenHeaders,
  ...servedHeaders(served, { planMs, upstreamMs: performance.now() - startedAt, attempts: images.routing.length }),
  'x-switchyard-cache': mode,
});
