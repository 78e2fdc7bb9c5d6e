import { type Offer, type Principal, randomHex, type RequestHead } from '@tallyport/contracts';
import type { ImageDispatch, ImageDispatchOptions, HoldBytes, Plan, PlanGround } from '@tallyport/dispatch';
import { imageSettlement } from '@tallyport/serving/metering';
import { imageSizes, type Pixels } from '@tallyport/pixels';
import { estimateImages } from '@tallyport/pricing';
import { requestedPixels } from '@tallyport/providers';
import type { ApiForm, PaidAnswer, PaidRequest, RequestLife } from '@tallyport/serving';
import type { ChatRequest, ProviderPreferences } from '@tallyport/wire';
import { chatCacheTerms } from './cache/cache-terms.ts';
import { chatContent } from './content/chat-content.ts';
import type { ChatEvents } from './events.ts';
import { usageViewFor } from './answer/usage-view.ts';
import { type ImageChatAnswer, imageCompletion, imageChatEvents } from './images/image-answer.ts';
import { chatOutcomeOf, chatUsageOf } from './images/image-usage.ts';
import { inRequestedSize } from './images/in-requested-size.ts';
import { type ImagePrompt, readImagePrompt } from './images/read-image-prompt.ts';
import { planImageChat } from './planning.ts';
import { warningHeaders } from './unknown-members.ts';

export interface ImageChatTools {
  imageDispatch: ImageDispatch;
  imageTargets: ImageDispatchOptions['targets'];
  /** The basis of plans for images, with the account's own keys if it has any. */
  imageGroundFor(principal: Principal | undefined): Promise<PlanGround>;
  pixels: Pixels;
  events: ChatEvents;
  keepAliveMs: number;
}

interface ReadChat {
  head: RequestHead;
  form: ApiForm | undefined;
  request: ChatRequest;
  unknownMembers: readonly string[] | undefined;
  preferences: ProviderPreferences | undefined;
  /** Offers that have their turn already. */
  tried: ReadonlySet<Offer>;
  bodyBytes: number;
  startedAt: number;
  holdBytes: HoldBytes;
}

/** Reads and plans a chat with a model that makes only images; its last user message is the prompt. */
export async function readImageChat(tools: ImageChatTools, chat: ReadChat): Promise<PaidRequest> {
  const { head, request, unknownMembers, preferences, startedAt, holdBytes } = chat;
  const imagePrompt = readImagePrompt(request);
  const ground = await tools.imageGroundFor(head.principal);
  const question = { head, model: request.model, call: imagePrompt.call, preferences, tried: chat.tried };
  const plan = planImageChat(question, tools.imageTargets, ground);
  const planMs = performance.now() - startedAt;
  return {
    plan,
    planMs,
    stream: request.stream === true,
    headers: warningHeaders(unknownMembers),
    form: chat.form,
    cache: chatCacheTerms({ ...chat, plan, planMs }, tools.keepAliveMs),
    content: chatContent(head, request, undefined),
    estimate: () => estimateImages(imagePrompt.call),
    attempt: (life) => attemptImageChat(tools, { head, request, unknownMembers, plan, imagePrompt, holdBytes }, life),
  };
}

interface PlannedImageChat {
  head: RequestHead;
  request: ChatRequest;
  unknownMembers: readonly string[] | undefined;
  plan: Plan;
  imagePrompt: ImagePrompt;
  holdBytes: HoldBytes;
}

async function attemptImageChat(
  { imageDispatch, events, pixels }: ImageChatTools,
  { head, request, unknownMembers, plan, imagePrompt, holdBytes }: PlannedImageChat,
  life: RequestLife,
): Promise<PaidAnswer> {
  const { prompt } = imagePrompt.call;
  const requested = requestedPixels(imagePrompt.call);
  const ended = events.begin({ head, plan, stream: request.stream === true, unknownMembers });
  const made = await imageDispatch.make({
    ...imagePrompt,
    plan,
    signal: life.signal,
    holdBytes,
    holdAnswer: life.holdAnswer,
    onOutcome(outcome) {
      life.settle(imageSettlement(outcome, prompt));
      ended(chatOutcomeOf(outcome, prompt));
    },
  });
  const { offer, routing, failures } = made;
  const sized = await inRequestedSize(made.images, { pixels, requested, signal: life.signal });
  const answer: ImageChatAnswer = {
    served: { head, plan, offer, others: life.others, completionId: `chatcmpl-${randomHex()}` },
    created: Math.floor(Date.now() / 1000),
    made: { ...made, images: sized.images },
    sizes: imageSizes(sized.sizes, requested),
    usage: chatUsageOf(made, prompt),
  };
  const usageView = usageViewFor(request, head);
  return {
    offer,
    attempts: routing.length,
    content: {
      kind: 'whole',
      document: imageCompletion(answer),
      events: () => imageChatEvents(answer, usageView),
      complete: failures.length === 0,
    },
  };
}
