import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { type Principal, usageOfExchanges } from '@tallyport/contracts';
import type { PlanGround } from '@tallyport/dispatch';
import { estimateImages } from '@tallyport/pricing';
import type { ImageOperation } from '@tallyport/providers';
import {
  type ByteBudget,
  type PaidRequest,
  refusalOfRepeat,
  type RequestDraft,
  servePaid,
  type ServingTools,
} from '@tallyport/serving';
import { leasedAnswer } from './answer/leased-answer.ts';
import { keepAliveAnswer } from './answer/keep-alive-answer.ts';
import { attemptImageRequest, type ImageAttemptTools } from './attempt-image-request.ts';
import { imageCacheTerms } from './cache/cache-terms.ts';
import { imageContent } from './image-content.ts';
import type { PlannedImages } from './planned-images.ts';
import { planImages } from './planning.ts';
import { readEdit } from './request/read-edit.ts';
import { readGeneration } from './request/read-generation.ts';
import { streamImageRequest } from './stream-image-request.ts';

export interface MakeTools extends ServingTools, ImageAttemptTools {
  /** The basis of plans, with the account's own keys. Throws `unavailable` until there is a catalogue. */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  budget: ByteBudget;
  maxBodyBytes: number;
  /** Reserved for each pending image. */
  expectedBytes: number;
  /** The interval of whitespace during a long wait; `undefined` sends none. */
  whitespaceEveryMs: number | undefined;
}

/** `POST /v1/images/generations` and `/v1/images/edits`. */
export const makeImages =
  (tools: MakeTools, operation: ImageOperation): ExchangeHandler =>
  async (exchange) => {
    const lease = tools.budget.lease();
    // Stops reading the body of a client that has left.
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
      const read = (_exchange: IncomingExchange, draft: RequestDraft) =>
        readImages(tools, { operation, lease, draft }, exchange);
      return await servePaid(tools, { operation: usages[operation], events, read })(exchange);
    } catch (thrown) {
      lease.release();
      throw thrown;
    }
  };

const usages = usageOfExchanges('image');

/** Returns the refusal that a request for images would get if it were made now. */
export const imagesRefusalOf =
  (tools: MakeTools, operation: ImageOperation) =>
  async (exchange: IncomingExchange): Promise<ExchangeAnswer | undefined> => {
    const lease = tools.budget.lease();
    try {
      const read = (_exchange: IncomingExchange, draft: RequestDraft) =>
        readImages(tools, { operation, lease, draft }, exchange);
      return await refusalOfRepeat(tools, { read }, exchange);
    } finally {
      lease.release();
    }
  };

async function readImages(
  tools: MakeTools,
  { operation, lease, draft }: Pick<PlannedImages, 'lease' | 'operation'> & { draft: RequestDraft },
  exchange: IncomingExchange,
): Promise<PaidRequest> {
  const { head } = exchange;
  const bounds = { maxBytes: tools.maxBodyBytes, lease };
  const request =
    operation === 'edit' ? await readEdit(exchange, bounds, tools) : await readGeneration(exchange, bounds);
  draft.model = request.model;
  // Measured from here, because the upload time depends on the client's network.
  const readAt = performance.now();
  const ground = await tools.groundFor(head.principal);
  const plan = planImages({ head, operation, request }, tools.targets, ground);
  const planMs = performance.now() - readAt;
  const images: PlannedImages = { head, operation, request, plan, planMs, lease };
  return {
    operation: usages[operation],
    plan,
    planMs,
    stream: request.stream,
    cache: imageCacheTerms(images),
    content: imageContent(head, request.call),
    estimate: () => estimateImages(request.call),
    admit: () => lease.take(request.call.n * tools.expectedBytes),
    attempt: (life) => (request.stream ? streamImageRequest : attemptImageRequest)(tools, images, life),
    send: (answerHead, slices) => leasedAnswer(answerHead, slices, lease),
    // A stream is kept open by comments.
    ...(!request.stream && {
      wait: (pending, soFar) => keepAliveAnswer(pending, { everyMs: tools.whitespaceEveryMs, lease, soFar }),
    }),
  };
}
