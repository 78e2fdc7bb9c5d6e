import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import { type Principal, toGatewayError } from '@switchyard/contracts';
import type { ImageDispatch, ImageOutcome, Plan, PlanGround, ServedImages } from '@switchyard/dispatch';
import { imageRefusalIn, planImage, type Targets } from '@switchyard/dispatch';
import { asksNoFallback, servedHeaders, slicedAnswer } from '@switchyard/dispatch-kit';
import { refusalAnswer, type TokenRefusal } from '@switchyard/limits';
import { findImageProvider, type ImageOperation, type ImageProvider } from '@switchyard/providers';
import { within } from '@switchyard/service-kit';
import { finishImages } from './answer/finish-images.ts';
import { imagesSlices } from './answer/images-answer.ts';
import { patientBody, thenDone } from './answer/patient-body.ts';
import type { ByteBudget, Lease } from './byte-budget.ts';
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
  maxBodyBytes: number;
  /** Put aside for each image that is awaited. */
  expectedBytes: number;
  /** Whitespace is sent after so long, and again; `undefined`: never. */
  keepAliveMs: number | undefined;
}

/** `POST /v1/images/generations` and `/v1/images/edits`: read, plan, try, finish, answer. */
export function makeImages(tools: MakeTools, operation: ImageOperation): ExchangeHandler {
  return async (exchange) => {
    const lease = tools.budget.lease();
    const { signal } = exchange;
    // Who has left reads no body to its end.
    signal.addEventListener('abort', lease.release, { once: true });
    try {
      const wanted = await understand({ tools, operation, lease }, exchange);
      if ('error' in wanted) {
        lease.release();
        return refusalAnswer(wanted);
      }
      const pending = answer(tools, wanted, lease);
      const { keepAliveMs } = tools;
      const answered = keepAliveMs === undefined ? await pending : await within(pending, keepAliveMs);
      return answered ?? patientAnswer(pending, { everyMs: keepAliveMs ?? 0, lease, headers: wanted.aside.headers });
    } catch (thrown) {
      lease.release();
      throw thrown;
    }
  };
}

/** One request, understood and planned. Nothing has been paid for. */
interface WantedImages {
  exchange: IncomingExchange;
  operation: ImageOperation;
  request: ImageRequest;
  plan: Plan;
  aside: Aside;
  planMs: number;
}

interface Asked {
  tools: MakeTools;
  operation: ImageOperation;
  lease: Lease;
}

/** A refusal of limits and budgets is an answer: its headers belong to the client. */
async function understand(
  { tools, operation, lease }: Asked,
  exchange: IncomingExchange,
): Promise<WantedImages | TokenRefusal> {
  const { head } = exchange;
  const bounds = { maxBytes: tools.maxBodyBytes, lease };
  try {
    const request =
      operation === 'edit' ? await readEdit(exchange, bounds, tools.pixels) : await readGeneration(exchange, bounds);
    // Sending it took as long as it took the client.
    const readAt = performance.now();
    const { model, call } = request;
    lease.take(call.n * tools.expectedBytes);
    const question = { model, editing: operation === 'edit', refusal: imageRefusalIn(call, tools.targets) };
    const plan = planImage(
      { ...question, principal: head.principal, noFallback: asksNoFallback(head) },
      await tools.groundFor(head.principal),
    );
    const planMs = performance.now() - readAt;
    tools.events.planned(operation, planMs);
    const aside = await setAside(tools, { head, operation, call, plan });
    if (!('error' in aside)) return { exchange, operation, request, plan, aside, planMs };
    tools.events.refused(operation, head, aside.error);
    return aside;
  } catch (thrown) {
    const error = toGatewayError(thrown);
    tools.events.refused(operation, head, error);
    throw error;
  }
}

/** Ends with the images or an error, whoever waits for them: what decides how long is the signal of the exchange. */
async function answer(tools: MakeTools, wanted: WantedImages, lease: Lease): Promise<ExchangeAnswer> {
  const { exchange, operation, request, plan, aside, planMs } = wanted;
  const { head, signal } = exchange;
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
  lease.settle(lengthOf(slices));
  const timing = { planMs, upstreamMs, attempts: made.routing.length };
  const headers = { ...jsonHeaders, ...aside.headers, ...servedHeaders({ head, plan, offer: made.offer }, timing) };
  const sliced = slicedAnswer({ status: 200, headers }, slices);
  const body = sliced.body instanceof Uint8Array ? [sliced.body] : sliced.body;
  return { head: sliced.head, body: thenDone(body, lease.release) };
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

/** The status is said before it is known, so that proxies see that something comes. */
const patientAnswer = (
  pending: Promise<ExchangeAnswer>,
  { everyMs, lease, headers: told }: { everyMs: number; lease: Lease; headers: Record<string, string> },
): ExchangeAnswer => {
  const body = pending.then((answered) =>
    answered.body instanceof Uint8Array ? thenDone([answered.body], () => undefined) : answered.body,
  );
  const headers = { ...jsonHeaders, ...told, 'x-switchyard-cache': 'BYPASS' };
  return { head: { status: 200, headers }, body: thenDone(patientBody(body, everyMs), lease.release) };
};

const lengthOf = (slices: readonly Buffer[]): number => slices.reduce((sum, { length }) => sum + length, 0);

function abilitiesOf({ targets }: MakeTools, { offer }: Pick<ServedImages, 'offer'>) {
  const provider = findImageProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
  return provider?.abilities(offer) ?? { outputFormats: [] };
}
