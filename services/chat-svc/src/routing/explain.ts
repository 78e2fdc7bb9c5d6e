import type { ExchangeHandler } from '@tallyport/bus';
import type { RequestHead } from '@tallyport/contracts';
import type { SentRoute } from '@tallyport/endpoints';
import {
  askedFallback,
  type ImageDispatchOptions,
  laneOf,
  type Plan,
  type PlanGround,
  planEmbeddings,
  planImage,
  resolveModel,
  type Targets,
} from '@tallyport/dispatch';
import { askedRouting, type GuardrailTools, planEach } from '@tallyport/serving';
import type { Upstreams } from '@tallyport/serving/upstreams';
import type { PromptAffinity } from '../affinity/prompt-affinity.ts';
import { readByChats } from '../complete.ts';
import { type ReadRequest, withModel, withSuffixRead } from '../read-request.ts';
import { isImageOnly } from '../images/is-image-only.ts';
import { readImagePrompt } from '../images/read-image-prompt.ts';
import { withImageModality } from '../images/image-modality.ts';
import { asChatRequest, parseBody } from '../parse-request.ts';
import { planImageChat, planTextChat } from '../planning.ts';
import { jsonAnswer } from '../answer/json-answer.ts';
import { describePlan, describeTurns } from './describe.ts';
import { embeddingBody } from './embedding-body.ts';
import { explainedChat } from './explained-chat.ts';
import { imageBody } from './image-body.ts';
import { readWhatIfs, refuseStrangers } from './what-ifs.ts';

/** The basis of plans: `chats` for text, `images` for models that make only images. */
interface Grounds {
  chats: PlanGround;
  images: PlanGround;
  targets: Pick<Targets, 'custom'>;
  imageTargets: ImageDispatchOptions['targets'];
  affinity: PromptAffinity;
}

interface ExplainTools {
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
    { affinity, maxBodyBytes, guardrails }: ExplainTools,
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
    };
    const findings = await guardrails.explain({ head, bytes: bytes.length, signal }, parseBody(bytes));
    const found: Pick<SentRoute, 'guardrails'> = findings ? { guardrails: findings } : {};
    const addressed = explainedChat(head, bytes);
    const chat = addressed && readByChats(addressed, guardrails, head);
    const explained = chat === undefined ? await planBody(bytes, head, grounds) : await planChats(chat, head, grounds);
    const { own, standIns } = explained;
    refuseStrangers(whatIfs, [own, ...standIns]);
    const describe = (plan: Plan) => describePlan(plan, routing, (offer) => chat && laneOf(chat.native, offer));
    return jsonAnswer({ ...describe(own), ...describeTurns(explained, describe), ...found });
  };

/** The plans of a request, one for each of its models. */
type Explained = Awaited<ReturnType<typeof planEach<Plan>>>;

function planBody(bytes: Uint8Array, head: RequestHead, grounds: Grounds): Promise<Explained> | Explained {
  const value = parseBody(bytes);
  const caller = { principal: head.principal, fallback: askedFallback(head) };
  const image = imageBody(value);
  if (image !== undefined) return onlyPlan(planImage({ ...image, ...caller }, grounds.images));
  const embeddings = embeddingBody(value, grounds.chats.index);
  if (embeddings !== undefined)
    return onlyPlan(planEmbeddings({ ...embeddings, ...caller }, grounds.targets, grounds.chats));
  const { body, standIns, preferences } = askedRouting(value, head);
  return planChats({ request: asChatRequest(body), standIns, preferences }, head, grounds);
}

const onlyPlan = (own: Plan): Explained => ({ own, standIns: [], passedOver: [] });

const planChats = (chat: ReadRequest, head: RequestHead, grounds: Grounds): Promise<Explained> =>
  planEach([chat.request.model, ...(chat.standIns ?? [])], async (name) =>
    planForChat(withModel(chat, name), head, grounds),
  );

function planForChat(named: ReadRequest, head: RequestHead, grounds: Grounds): Plan {
  const { chats, images, imageTargets, affinity } = grounds;
  const { request, ...either } = withSuffixRead(named, chats.index);
  const { model } = resolveModel(request.model, chats.index);
  if (!isImageOnly(model)) {
    const chat = { head, request: withImageModality(request, model), model };
    return planTextChat(
      { ...chat, ...either, cachedAt: affinity.of({ ...chat, ground: chats })?.cachedAt() },
      imageTargets,
      chats,
    );
  }
  if (either.untranslatable !== undefined) throw either.untranslatable;
  const { call } = readImagePrompt(request);
  const { preferences } = either;
  return planImageChat({ head, model: request.model, call, preferences }, imageTargets, images);
}
