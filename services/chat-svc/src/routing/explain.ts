import type { ExchangeHandler } from '@tallyport/bus';
import type { Offer, RequestHead } from '@tallyport/contracts';
import type { SentRoute } from '@tallyport/endpoints';
import {
  askedFallback,
  type ImageDispatchOptions,
  laneOf,
  offersBefore,
  type Plan,
  resolveModel,
  routedPlan,
} from '@tallyport/dispatch';
import { estimateChat, type RequestEstimate } from '@tallyport/pricing';
import {
  askedModels,
  askedRouting,
  type GuardrailTools,
  planEach,
  promptRoutes,
  readSuffix,
  type ResolvedChoice,
  type RouteGround,
} from '@tallyport/serving';
import type { Upstreams } from '@tallyport/serving/upstreams';
import type { PromptAffinity } from '../affinity/prompt-affinity.ts';
import { readByChats } from '../complete.ts';
import { type ReadRequest, withModel, withSuffixRead } from '../read-request.ts';
import { isImageOnly } from '../images/is-image-only.ts';
import { readImagePrompt } from '../images/read-image-prompt.ts';
import { withImageModality } from '../images/image-modality.ts';
import { asChatRequest, parseBody } from '../parse-request.ts';
import { chatRoutes } from '../named-routes/chat-routes.ts';
import { planImageChat, planTextChat } from '../planning.ts';
import { jsonAnswer } from '../answer/json-answer.ts';
import { describePlan, describeRoutes, describeTurns } from './describe.ts';
import { type CallGrounds, type ExplainedCall, explainedCall } from './explained-call.ts';
import { reservation } from './reservation.ts';
import { explainedChat } from './explained-chat.ts';
import { readWhatIfs, refuseStrangers } from './what-ifs.ts';

interface Grounds extends CallGrounds, Omit<RouteGround, 'routes'> {
  imageTargets: ImageDispatchOptions['targets'];
  affinity: PromptAffinity;
}

interface ExplainTools extends RouteGround {
  affinity: PromptAffinity;
  maxBodyBytes: number;
  guardrails: GuardrailTools;
}

/**
 * `POST /v1/routes/explain`: returns the plan of a request without calling a provider or spending anything. With `path` in
 * the query it is a request of that API; `uptime`, `price` and `slowness` there are assumptions about providers.
 */
export const explainRoute =
  (
    { routing, groundFor, imageGroundFor, dispatchOptions, imageDispatchOptions }: Upstreams,
    { affinity, maxBodyBytes, guardrails, routes, budgetLeft }: ExplainTools,
  ): ExchangeHandler =>
  async ({ head, body, signal }) => {
    const bytes = await body.bytes(maxBodyBytes);
    // 1 disables exploration, so the plan is the one that nearly every request gets.
    const whatIfs = readWhatIfs(head.query);
    const grounds: Grounds = {
      chats: { ...(await groundFor(head.principal)), random: 1, whatIfs },
      images: { ...(await imageGroundFor(head.principal)), random: 1, whatIfs },
      targets: dispatchOptions.targets,
      imageTargets: imageDispatchOptions.targets,
      affinity,
      routes,
      budgetLeft,
    };
    const value = parseBody(bytes);
    const findings = await guardrails.explain({ head, bytes: bytes.length, signal }, value);
    const found: Pick<SentRoute, 'guardrails'> = findings ? { guardrails: findings } : {};
    const call = await explainedCall(head, value, grounds);
    const addressed = call === undefined ? explainedChat(head, bytes) : undefined;
    const chat = addressed && readByChats(addressed, guardrails, head);
    const explained = await (call === undefined
      ? planChats(chat ?? plainChat(value, head), head, grounds)
      : planCalls(call, head, grounds));
    const { own, standIns } = explained;
    refuseStrangers(whatIfs, [own, ...standIns]);
    const describe = (plan: Plan) => describePlan(plan, routing, (offer) => chat && laneOf(chat.native, offer));
    const turns = describeTurns(explained, describe);
    return jsonAnswer({
      ...describe(own),
      ...describeRoutes(explained),
      ...turns,
      ...reservation(explained),
      ...found,
    });
  };

/** The plans of a request, one for each of its models. */
interface Explained extends Awaited<ReturnType<typeof planEach<Plan>>> {
  /** What its routes decided. */
  choices: readonly ResolvedChoice[];
  /** The highest usage that is expected; absent for what is no chat. */
  estimate?: RequestEstimate;
}

async function planCalls(call: ExplainedCall, head: RequestHead, grounds: Grounds): Promise<Explained> {
  const { model: own, standIns = [], preferences } = call;
  const caller = { principal: head.principal, fallback: askedFallback(head) };
  const { models, choices } = await askedModels([own, ...standIns], promptRoutes(grounds, { head, ...call }));
  const each = await planEach<Plan>(models, {
    planWith: async ({ model, route }, before) => {
      const named = readSuffix({ model, preferences }, grounds.chats.index);
      return routedPlan(call.plan({ ...caller, ...named, tried: offersBefore(before) }, grounds), route);
    },
    planOf: (plan) => plan,
    preferences,
  });
  return { ...each, choices };
}

/** A chat in OpenAI's format. */
function plainChat(value: unknown, head: RequestHead): ReadRequest {
  const { body, standIns, preferences } = askedRouting(value, head);
  return { request: asChatRequest(body), standIns, preferences };
}

async function planChats(chat: ReadRequest, head: RequestHead, grounds: Grounds): Promise<Explained> {
  const { request, standIns = [], preferences } = chat;
  const { models, choices } = await askedModels([request.model, ...standIns], chatRoutes(grounds, head, chat));
  const each = await planEach<Plan>(models, {
    planWith: async ({ model, route }, before) =>
      routedPlan(planForChat({ ...withModel(chat, model), tried: offersBefore(before) }, head, grounds), route),
    planOf: (plan) => plan,
    preferences,
  });
  return { ...each, choices, estimate: estimateChat(request) };
}

interface PlacedChat extends ReadRequest {
  /** Offers that have their turn already. */
  tried: ReadonlySet<Offer>;
}

function planForChat(named: PlacedChat, head: RequestHead, grounds: Grounds): Plan {
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
