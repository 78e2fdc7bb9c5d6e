import type { IncomingExchange } from '@tallyport/bus';
import { endUserOf, type Principal, usageOfExchanges } from '@tallyport/contracts';
import { offersBefore, type PlanGround } from '@tallyport/dispatch';
import { estimateImages } from '@tallyport/pricing';
import type { ImageOperation } from '@tallyport/providers';
import {
  type ByteBudget,
  type GuardrailTools,
  imagePromptFacts,
  type PaidEndpoint,
  type PaidRequest,
  planModels,
  promptRoutes,
  readSuffix,
  type RequestDraft,
  type RouteGround,
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

interface ImageTools extends ImageAttemptTools, RouteGround {
  guardrails: GuardrailTools;
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
export const imageEndpoint = (tools: ImageTools, operation: ImageOperation): PaidEndpoint => ({
  name: `image ${operation}`,
  operation: usages[operation],
  events: tools.events[operation],
  lease: tools.budget.lease,
  leaseOfAnswer: true,
  read: (exchange, draft, lease) => readImages(tools, { operation, lease, draft }, exchange),
});

const usages = usageOfExchanges('image');

async function readImages(
  tools: ImageTools,
  { operation, lease, draft }: Pick<PlannedImages, 'lease' | 'operation'> & { draft: RequestDraft },
  exchange: IncomingExchange,
): Promise<PaidRequest> {
  const { head, signal } = exchange;
  // Stops reading the body of a client that has left.
  signal.addEventListener('abort', lease.release, { once: true });
  const bounds = { maxBytes: tools.maxBodyBytes, lease };
  const request =
    operation === 'edit' ? await readEdit(exchange, bounds, tools) : await readGeneration(exchange, bounds);
  draft.model = request.model;
  const endUser = endUserOf(head, request.endUser);
  draft.endUser = endUser;
  // Measured from here, because the upload time depends on the client's network.
  const readAt = performance.now();
  const ground = await tools.groundFor(head.principal);
  const { prompt, images } = request.call;
  const facts = imagePromptFacts({ prompt, images: images.length });
  const routes = promptRoutes(tools, { head, signal, endUser, operation: usages[operation], prompt: facts });
  return planModels({ ...request, routes }, async ({ model, route }, before) => {
    const named = readSuffix({ model, preferences: request.preferences }, ground.index);
    const tried = offersBefore(before.map((planned) => planned.plan));
    const plan = planImages({ head, operation, request, named, route, tried }, tools.targets, ground);
    return paidImages(tools, { head, operation, request, plan, planMs: performance.now() - readAt, lease });
  });
}

function paidImages(tools: ImageTools, images: PlannedImages): PaidRequest {
  const { head, request, plan, planMs, lease } = images;
  return {
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
