import type { Making, Taking, ThroughCache } from '@switchyard/answer-cache';
import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import { type GatewayError, type Principal, toGatewayError } from '@switchyard/contracts';
import type { ImageDispatch, ImageOutcome, Plan, PlanGround, ServedImages } from '@switchyard/dispatch';
import { imageRefusalIn, planImage, type Targets } from '@switchyard/dispatch';
import { asksNoFallback, servedHeaders } from '@switchyard/dispatch-kit';
import { refusalAnswer } from '@switchyard/limits';
import { findImageProvider, type ImageOperation, type ImageProvider } from '@switchyard/providers';
import { within } from '@switchyard/service-kit';
import { finishImages } from './answer/finish-images.ts';
import { imagesSlices } from './answer/images-answer.ts';
import { patientBody, thenDone } from './answer/patient-body.ts';
import { heldAnswer, jsonHeaders, lengthOf } from './answer/held-answer.ts';
import type { ByteBudget, Lease } from './byte-budget.ts';
import { questionOf } from './cache/question-of.ts';
import type { ImageEvents } from './events.ts';
import type { Pixels } from './pixels/pixels.ts';
import type { ImageRequest } from './request/image-request.ts';
import { readEdit } from './request/read-edit.ts';
import { readGeneration } from './request/read-generation.ts';
import { type Aside, type AsideTools, setAside } from './set-aside.ts';

export interface MakeTools extends AsideTools {
  dispatch: ImageDispatch;
  /** Everything a plan is made from now, with the account's own keys. Throws `unavailable` while there is no catalogue. */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  targets: Pick<Targets<ImageProvider>, 'custom'>;
  pixels: Pixels;
  budget: ByteBudget;
  events: ImageEvents;
  throughCache: ThroughCache;
  maxBodyBytes: number;
  /** Put aside for each image that is awaited. */
  expectedBytes: number;
  /** Whitespace is sent after so long, and again; `undefined`: never. */
  keepAliveMs: number | undefined;
}

/** `POST /v1/images/generations` and `/v1/images/edits`: read, plan, look into the cache, try, finish, answer. */
export function makeImages(tools: MakeTools, operation: ImageOperation): ExchangeHandler {
  return async (exchange) => {
    const lease = tools.budget.lease();
    const { signal } = exchange;
    // Who has left reads no body to its end.
    signal.addEventListener('abort', lease.release, { once: true });
    try {
      const wanted = await understand({ tools, operation, lease }, exchange);
      const begun: Begun = { headers: {} };
      const pending = tools.throughCache(questionOf(wanted), (making) =>
        makeAnew(tools, { ...wanted, ...making, begun }),
      );
      const { keepAliveMs } = tools;
      const answered = keepAliveMs === undefined ? await pending : await within(pending, keepAliveMs);
      return answered ?? patientAnswer(pending, { everyMs: keepAliveMs ?? 0, lease, headers: begun.headers });
    } catch (thrown) {
      lease.release();
      throw thrown;
    }
  };
}

/** What is known of the head while the answer is awaited. */
interface Begun {
  headers: Record<string, string>;
}

/** One request, understood and planned. Nothing has been paid for. */
export interface WantedImages {
  exchange: IncomingExchange;
  operation: ImageOperation;
  request: ImageRequest;
  plan: Plan;
  planMs: number;
  lease: Lease;
}

interface Asked {
  tools: MakeTools;
  operation: ImageOperation;
  lease: Lease;
}

async function understand({ tools, operation, lease }: Asked, exchange: IncomingExchange): Promise<WantedImages> {
  const { head } = exchange;
  const bounds = { maxBytes: tools.maxBodyBytes, lease };
  try {
    const request =
      operation === 'edit' ? await readEdit(exchange, bounds, tools.pixels) : await readGeneration(exchange, bounds);
    // Sending it took as long as it took the client.
    const readAt = performance.now();
    const { model, call } = request;
    const question = { model, editing: operation === 'edit', refusal: imageRefusalIn(call, tools.targets) };
    const plan = planImage(
      { ...question, principal: head.principal, noFallback: asksNoFallback(head) },
      await tools.groundFor(head.principal),
    );
    const planMs = performance.now() - readAt;
    tools.events.planned(operation, planMs);
    return { exchange, operation, request, plan, planMs, lease };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    tools.events.refused(operation, head, error);
    throw error;
  }
}

interface ImagesToMake extends WantedImages, Making {
  begun: Begun;
}

/** Who waits for the images of another holds no room for them. A refusal of limits and budgets is an answer: its headers belong to the client. */
async function makeAnew(tools: MakeTools, wanted: ImagesToMake): Promise<ExchangeAnswer> {
  const { exchange, operation, request, plan, mode, taking, begun, lease } = wanted;
  const { head } = exchange;
  const refused = (error: GatewayError): void => {
    lease.release();
    taking?.failed(error);
    tools.events.refused(operation, head, error);
  };
  try {
    lease.take(request.call.n * tools.expectedBytes);
  } catch (thrown) {
    refused(toGatewayError(thrown));
    throw thrown;
  }
  const aside = await setAside(tools, { head, operation, call: request.call, plan });
  if ('error' in aside) {
    refused(aside.error);
    return refusalAnswer(aside);
  }
  begun.headers = { ...aside.headers, 'x-switchyard-cache': mode };
  return answer(tools, wanted, aside);
}

/** Ends with the images or an error, whoever waits for them: what decides how long is the signal. */
async function answer(tools: MakeTools, wanted: ImagesToMake, aside: Aside): Promise<ExchangeAnswer> {
  const { operation, request, plan, planMs, begun, taking, lease } = wanted;
  const { head } = wanted.exchange;
  const signal = taking?.signal ?? wanted.exchange.signal;
  const { call, strings, imagePaths } = request;
  const startedAt = performance.now();
  const created = Math.floor(Date.now() / 1000);
  const told = tools.events.begin({ head, plan, operation });
  const onOutcome = (outcome: ImageOutcome): void => {
    aside.ended(outcome);
    told(outcome);
  };
  const { images: raw, ...made } = await tools.dispatch.make({ call, strings, imagePaths, plan, signal, onOutcome });
  const upstreamMs = performance.now() - startedAt;
  await aside.settled();
  lease.settle(raw.reduce((sum, { base64 }) => sum + lengthOf(base64), 0));
  const abilities = abilitiesOf(tools, made);
  const images = await finishImages(raw, { call, abilities, pixels: tools.pixels, signal });
  tools.events.made({ plan, operation, offer: made.offer, images });
  const slices = imagesSlices({ served: { head, plan, offer: made.offer }, created, made, images });
  takeDown(made, slices, taking);
  const timing = { planMs, upstreamMs, attempts: made.routing.length };
  const headers = { ...servedHeaders({ head, plan, offer: made.offer }, timing), ...begun.headers };
  return heldAnswer({ ...jsonHeaders, ...headers }, slices, lease);
}

/** Others get what is whole. */
function takeDown({ offer, failures }: Omit<ServedImages, 'images'>, slices: readonly Buffer[], taking?: Taking): void {
  if (failures.length > 0) taking?.incomplete();
  else taking?.whole(offer.providerId, slices);
}

/** The status is said before it is known, so that proxies see that something comes. */
const patientAnswer = (
  pending: Promise<ExchangeAnswer>,
  { everyMs, lease, headers: told }: { everyMs: number; lease: Lease; headers: Record<string, string> },
): ExchangeAnswer => {
  const body = pending.then((answered) =>
    answered.body instanceof Uint8Array ? thenDone([answered.body], () => undefined) : answered.body,
  );
  const headers = { ...jsonHeaders, ...told };
  return { head: { status: 200, headers }, body: thenDone(patientBody(body, everyMs), lease.release) };
};

function abilitiesOf({ targets }: MakeTools, { offer }: Pick<ServedImages, 'offer'>) {
  const provider = findImageProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
  return provider?.abilities(offer) ?? { outputFormats: [] };
}
