import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import type { Principal } from '@switchyard/contracts';
import {
  asksNoFallback,
  type ImageDispatch,
  imageRefusalIn,
  type PlanGround,
  planImage,
  type Targets,
} from '@switchyard/dispatch';
import { imageSettlement } from '@switchyard/metering';
import { estimateImages } from '@switchyard/pricing';
import { findImageProvider, type ImageOperation, type ImageProvider } from '@switchyard/providers';
import { within } from '@switchyard/service-kit';
import { type PaidAnswer, type PaidRequest, type RequestLife, servePaid, type ServingTools } from '@switchyard/serving';
import { finishImages } from './answer/finish-images.ts';
import { heldAnswer, lengthOf } from './answer/held-answer.ts';
import { imagesSlices } from './answer/images-answer.ts';
import { patientAnswer } from './answer/patient-answer.ts';
import type { ByteBudget, Lease } from './byte-budget.ts';
import { imageCacheTerms } from './cache/cache-terms.ts';
import type { ImageEvents } from './events.ts';
import type { Pixels } from './pixels/pixels.ts';
import type { PlannedImages } from './planned-images.ts';
import { readEdit } from './request/read-edit.ts';
import { readGeneration } from './request/read-generation.ts';

export interface MakeTools extends ServingTools {
  dispatch: ImageDispatch;
  /** Everything a plan is made from now, with the account's own keys. Throws `unavailable` while there is no catalogue. */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  targets: Pick<Targets<ImageProvider>, 'custom'>;
  pixels: Pixels;
  budget: ByteBudget;
  events: ImageEvents;
  maxBodyBytes: number;
  /** Reserved for each image that is awaited. */
  expectedBytes: number;
  /** After this long whitespace is sent, and again after as long; `undefined`: never. */
  whitespaceEveryMs: number | undefined;
}

/** `POST /v1/images/generations` and `/v1/images/edits`. */
export const makeImages =
  (tools: MakeTools, operation: ImageOperation): ExchangeHandler =>
  async (exchange) => {
    const lease = tools.budget.lease();
    // A body whose client has left is not read to its end.
    exchange.signal.addEventListener('abort', lease.release, { once: true });
    const { planned, refused } = tools.events[operation];
    const events = {
      planned,
      refused(...refusal: Parameters<typeof refused>) {
        lease.release();
        refused(...refusal);
      },
    };
    try {
      return await servePaid(tools, { events, read: () => readImages(tools, { operation, lease }, exchange) })(
        exchange,
      );
    } catch (thrown) {
      lease.release();
      throw thrown;
    }
  };

async function readImages(
  tools: MakeTools,
  { operation, lease }: Pick<PlannedImages, 'lease' | 'operation'>,
  exchange: IncomingExchange,
): Promise<PaidRequest> {
  const { head } = exchange;
  const bounds = { maxBytes: tools.maxBodyBytes, lease };
  const request =
    operation === 'edit' ? await readEdit(exchange, bounds, tools.pixels) : await readGeneration(exchange, bounds);
  // The upload takes as long as the client's network.
  const readAt = performance.now();
  const { model, call } = request;
  const question = {
    model,
    editing: operation === 'edit',
    refusal: imageRefusalIn(call, tools.targets),
    principal: head.principal,
    noFallback: asksNoFallback(head),
  };
  const plan = planImage(question, await tools.groundFor(head.principal));
  const planMs = performance.now() - readAt;
  const images: PlannedImages = { head, operation, request, plan, planMs, lease };
  return {
    operation: operation === 'edit' ? 'image_edit' : 'image_generation',
    plan,
    planMs,
    stream: false,
    cache: imageCacheTerms(images),
    estimate: () => estimateImages(call),
    admit: () => lease.take(call.n * tools.expectedBytes),
    attempt: (life) => attemptImages(tools, images, life),
    send: (answerHead, slices) => heldAnswer(answerHead, slices, lease),
    wait: (pending, soFar) => withWhitespace(pending, { everyMs: tools.whitespaceEveryMs, lease, soFar }),
  };
}

async function attemptImages(
  tools: MakeTools,
  { head, operation, request, plan, lease }: PlannedImages,
  life: RequestLife,
): Promise<PaidAnswer> {
  const { pixels, events } = tools;
  const { call, strings, imagePaths } = request;
  const created = Math.floor(Date.now() / 1000);
  const ended = events[operation].begin({ head, plan, stream: false });
  const { images: raw, ...made } = await tools.dispatch.make({
    call,
    strings,
    imagePaths,
    plan,
    signal: life.signal,
    onOutcome(outcome) {
      life.settle(imageSettlement(outcome, call.prompt));
      ended(outcome);
    },
  });
  const { offer, routing, failures } = made;
  lease.settle(raw.reduce((sum, { base64 }) => sum + lengthOf(base64), 0));
  const provider = findImageProvider(offer.providerId) ?? tools.targets.custom?.(offer.providerId);
  const abilities = provider?.abilities(offer) ?? { outputFormats: [] };
  const images = await finishImages(raw, { call, abilities, pixels, signal: life.signal });
  events.made({ plan, operation, offer, images });
  const slices = imagesSlices({ served: { head, plan, offer }, created, made, images });
  const content = { kind: 'whole', document: () => slices, complete: failures.length === 0 } as const;
  return { offer, attempts: routing.length, content };
}

interface Waiting {
  everyMs: number | undefined;
  lease: Lease;
  soFar(): Record<string, string>;
}

async function withWhitespace(
  pending: Promise<ExchangeAnswer>,
  { everyMs, lease, soFar }: Waiting,
): Promise<ExchangeAnswer> {
  if (everyMs === undefined) return pending;
  return (await within(pending, everyMs)) ?? patientAnswer(pending, { everyMs, lease, headers: soFar() });
}
