import { randomUUID } from 'node:crypto';
import type { Principal, RequestHead } from '@switchyard/contracts';
import type { ImageDispatch, ImageDispatchOptions, Plan, PlanGround } from '@switchyard/dispatch';
import { imageSettlement } from '@switchyard/metering';
import { estimateImages } from '@switchyard/pricing';
import type { PaidAnswer, PaidRequest, RequestLife } from '@switchyard/serving';
import type { ChatRequest } from '@switchyard/wire';
import { chatCacheTerms } from './cache/cache-terms.ts';
import type { ChatEvents } from './events.ts';
import { type ImageChatAnswer, imageCompletionSlices, imageEventSlices } from './images/image-answer.ts';
import { chatOutcomeOf, chatUsageOf } from './images/image-usage.ts';
import { type Painting, readPainting } from './images/read-painting.ts';
import { planPainting } from './planning.ts';

export interface ImageChatTools {
  imageDispatch: ImageDispatch;
  imageTargets: ImageDispatchOptions['targets'];
  /** Everything a plan for images is made from now, with the account's own keys where it has any. */
  imageGroundFor(principal: Principal | undefined): Promise<PlanGround>;
  events: ChatEvents;
  keepAliveMs: number;
}

interface ReadChat {
  head: RequestHead;
  request: ChatRequest;
  bodyBytes: number;
  startedAt: number;
}

/** A chat with a model that only makes images: its last message says what the image shall be. */
export async function readImageChat(tools: ImageChatTools, chat: ReadChat): Promise<PaidRequest> {
  const { head, request, startedAt } = chat;
  const painting = readPainting(request);
  const ground = await tools.imageGroundFor(head.principal);
  const plan = planPainting({ head, model: request.model, call: painting.call }, tools.imageTargets, ground);
  const planMs = performance.now() - startedAt;
  return {
    operation: 'chat',
    plan,
    planMs,
    stream: request.stream === true,
    cache: chatCacheTerms({ ...chat, plan, planMs }, tools.keepAliveMs),
    estimate: () => estimateImages(painting.call),
    attempt: (life) => attemptImageChat(tools, { head, request, plan, painting }, life),
  };
}

interface PlannedImageChat {
  head: RequestHead;
  request: ChatRequest;
  plan: Plan;
  painting: Painting;
}

async function attemptImageChat(
  { imageDispatch, events }: ImageChatTools,
  { head, request, plan, painting }: PlannedImageChat,
  life: RequestLife,
): Promise<PaidAnswer> {
  const { prompt } = painting.call;
  const ended = events.begin({ head, plan, stream: request.stream === true });
  const made = await imageDispatch.make({
    ...painting,
    plan,
    signal: life.signal,
    onOutcome(outcome) {
      life.settle(imageSettlement(outcome, prompt));
      ended(chatOutcomeOf(outcome, prompt));
    },
  });
  const { offer, routing, failures } = made;
  const answer: ImageChatAnswer = {
    served: { head, plan, offer, completionId: `chatcmpl-${randomUUID().replaceAll('-', '')}` },
    created: Math.floor(Date.now() / 1000),
    made,
    usage: chatUsageOf(made, prompt),
  };
  const includeUsage = request.stream_options?.include_usage === true;
  return {
    offer,
    attempts: routing.length,
    content: {
      kind: 'whole',
      document: () => imageCompletionSlices(answer),
      events: () => imageEventSlices(answer, includeUsage),
      complete: failures.length === 0,
    },
  };
}
