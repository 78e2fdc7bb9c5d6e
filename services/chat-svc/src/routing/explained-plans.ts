import type { Offer, RequestHead } from '@tallyport/contracts';
import {
  askedFallback,
  type ImageDispatchOptions,
  offersBefore,
  type Plan,
  resolveModel,
  routedPlan,
} from '@tallyport/dispatch';
import { estimateChat, estimateImages, type RequestEstimate } from '@tallyport/pricing';
import {
  askedModels,
  planEach,
  promptRoutes,
  readSuffix,
  type ResolvedChoice,
  type RouteGround,
  type RouteTools,
} from '@tallyport/serving';
import type { ChatRequest } from '@tallyport/wire';
import type { PromptAffinity } from '../affinity/prompt-affinity.ts';
import { isImageOnly } from '../images/is-image-only.ts';
import { readImagePrompt } from '../images/read-image-prompt.ts';
import { withImageModality } from '../images/image-modality.ts';
import { chatRoutes } from '../named-routes/chat-routes.ts';
import { planImageChat, planTextChat } from '../planning.ts';
import { type ReadRequest, withModel, withSuffixRead } from '../read-request.ts';
import type { CallGrounds, ExplainedCall } from './explained-call.ts';

/** What the plans of a request depend on that is explained and not sent. */
export interface ExplainGrounds extends CallGrounds, Pick<RouteGround, 'budgetLeft'> {
  imageTargets: ImageDispatchOptions['targets'];
  affinity: Pick<PromptAffinity, 'of'>;
  /** Changes what routes know of the request. */
  resolving?(tools: RouteTools): RouteTools;
}

/** The plans of a request, one for each of its models. */
export interface Explained extends Awaited<ReturnType<typeof planEach<Plan>>> {
  /** What its routes decided. */
  choices: readonly ResolvedChoice[];
  /** The highest usage that is expected; absent if that depends on a recording. */
  estimate: RequestEstimate | undefined;
}

/** Plans a request of an API that has models of its own. Throws like `planEach`. */
export async function planExplainedCall(
  call: ExplainedCall,
  head: RequestHead,
  grounds: ExplainGrounds,
): Promise<Explained> {
  const { model: own, standIns = [], preferences } = call;
  const { resolving = asTheyAre } = grounds;
  const caller = { principal: head.principal, fallback: askedFallback(head) };
  const routes = resolving(promptRoutes(grounds, { head, ...call }));
  const { models, choices } = await askedModels([own, ...standIns], routes);
  const each = await planEach<Plan>(models, {
    planWith: async ({ model, route }, before) => {
      const named = readSuffix({ model, preferences }, grounds.chats.index);
      return routedPlan(call.plan({ ...caller, ...named, tried: offersBefore(before) }, grounds), route);
    },
    planOf: (plan) => plan,
    preferences,
  });
  return { ...each, choices, estimate: call.estimate?.() };
}

/** Plans a chat, in whichever API it was asked. Throws like `planEach`. */
export async function planExplainedChat(
  chat: ReadRequest,
  head: RequestHead,
  grounds: ExplainGrounds,
): Promise<Explained> {
  const { request, standIns = [], preferences } = chat;
  const { resolving = asTheyAre } = grounds;
  const routes = resolving(chatRoutes(grounds, { head }, chat));
  const { models, choices } = await askedModels([request.model, ...standIns], routes);
  const each = await planEach<Plan>(models, {
    planWith: async ({ model, route }, before) =>
      routedPlan(planForChat({ ...withModel(chat, model), tried: offersBefore(before) }, head, grounds), route),
    planOf: (plan) => plan,
    preferences,
  });
  return { ...each, choices, estimate: estimateFor(request, each.own) };
}

const asTheyAre = (tools: RouteTools): RouteTools => tools;

const estimateFor = (request: ChatRequest, { model }: Plan): RequestEstimate =>
  isImageOnly(model) ? estimateImages(readImagePrompt(request).call) : estimateChat(request);

interface PlacedChat extends ReadRequest {
  /** Offers that have their turn already. */
  tried: ReadonlySet<Offer>;
}

function planForChat(named: PlacedChat, head: RequestHead, grounds: ExplainGrounds): Plan {
  const { chats, images, targets, imageTargets, affinity } = grounds;
  const { tried } = named;
  const { request, ...either } = withSuffixRead(named, chats.index);
  const { model } = resolveModel(request.model, chats.index);
  if (!isImageOnly(model)) {
    const chat = { head, request: withImageModality(request, model), model, tried };
    return planTextChat(
      { ...chat, ...either, chatTargets: targets, cachedAt: affinity.of({ ...chat, ground: chats })?.cachedAt() },
      imageTargets,
      chats,
    );
  }
  if (either.untranslatable !== undefined) throw either.untranslatable;
  const { call } = readImagePrompt(request);
  const { preferences } = either;
  return planImageChat({ head, model: request.model, call, preferences, tried }, imageTargets, images);
}
