import type { ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import type { Principal } from '@switchyard/contracts';
import type { PlanGround } from '@switchyard/dispatch';
import { estimateImages } from '@switchyard/pricing';
import type { ImageOperation } from '@switchyard/providers';
import { type PaidRequest, servePaid, type ServingTools } from '@switchyard/serving';
import { heldAnswer } from './answer/held-answer.ts';
import { patientAnswer } from './answer/patient-answer.ts';
import { attemptImageRequest, type ImageAttemptTools } from './attempt-image-request.ts';
import type { ByteBudget } from './byte-budget.ts';
import { imageCacheTerms } from './cache/cache-terms.ts';
import type { PlannedImages } from './planned-images.ts';
import { planImages } from './planning.ts';
import { readEdit } from './request/read-edit.ts';
import { readGeneration } from './request/read-generation.ts';

export interface MakeTools extends ServingTools, ImageAttemptTools {
  /** Everything a plan is made from now, with the account's own keys. Throws `unavailable` while there is no catalogue. */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  budget: ByteBudget;
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
  const ground = await tools.groundFor(head.principal);
  const plan = planImages({ head, operation, request }, tools.targets, ground);
  const planMs = performance.now() - readAt;
  const images: PlannedImages = { head, operation, request, plan, planMs, lease };
  return {
    operation: operation === 'edit' ? 'image_edit' : 'image_generation',
    plan,
    planMs,
    stream: false,
    cache: imageCacheTerms(images),
    estimate: () => estimateImages(request.call),
    admit: () => lease.take(request.call.n * tools.expectedBytes),
    attempt: (life) => attemptImageRequest(tools, images, life),
    send: (answerHead, slices) => heldAnswer(answerHead, slices, lease),
    wait: (pending, soFar) => patientAnswer(pending, { everyMs: tools.whitespaceEveryMs, lease, soFar }),
  };
}
