import type { ExchangeHandler } from '@switchyard/bus';
import type { RequestHead } from '@switchyard/contracts';
import { type Plan, type PlanGround, needsOf, planChat, planImage, unsupportedIn } from '@switchyard/dispatch';
import { type Routing, asksNoFallback } from '@switchyard/dispatch-kit';
import { asChatRequest, parseJson } from '../parse-request.ts';
import { jsonAnswer } from './json-answer.ts';
import { describePlan } from './describe.ts';
import { imageBody } from './image-body.ts';

/** `POST /v1/routes/explain`: what would be tried for this very request and why. Nothing is called, nothing is spent. */
export const explainRoute =
  (routing: Routing, maxBodyBytes: number): ExchangeHandler =>
  async ({ head, body }) => {
    const asked = parseJson(await body.bytes(maxBodyBytes));
    // 1 explores nothing: the answer is what nearly every request gets.
    const ground = { ...routing.ground(), random: 1 };
    return jsonAnswer(describePlan(planFor(asked, head, ground), routing));
  };

function planFor(asked: unknown, head: RequestHead, ground: PlanGround): Plan {
  const { principal } = head;
  const noFallback = asksNoFallback(head);
  const image = imageBody(asked);
  if (image !== undefined) return planImage({ ...image, principal, noFallback }, ground);
  const request = asChatRequest(asked);
  const streaming = request.stream === true;
  const demands = { needs: needsOf(request), unsupported: unsupportedIn({ request, stream: streaming }) };
  return planChat({ model: request.model, ...demands, principal, noFallback, streaming }, ground);
}
