import type { ExchangeHandler } from '@switchyard/bus';
import type { RequestHead } from '@switchyard/contracts';
import {
  asksNoFallback,
  type ImageDispatchOptions,
  type Plan,
  type PlanGround,
  planImage,
  resolveModel,
} from '@switchyard/dispatch';
import type { Upstreams } from '@switchyard/upstreams';
import { onlyPaints } from '../images/only-paints.ts';
import { readPainting } from '../images/read-painting.ts';
import { withImagesAsked } from '../images/speaks-and-paints.ts';
import { asChatRequest, parseBody } from '../parse-request.ts';
import { planPainting, planWords } from '../planning.ts';
import { jsonAnswer } from './json-answer.ts';
import { describePlan } from './describe.ts';
import { imageBody } from './image-body.ts';

/** What plans are made from: `images` for those that are made by the image endpoints' means. */
interface Grounds {
  chats: PlanGround;
  images: PlanGround;
  imageTargets: ImageDispatchOptions['targets'];
}

/** `POST /v1/routes/explain`: what would be tried for this very request and why. Nothing is called, nothing is spent. */
export const explainRoute =
  ({ routing, groundFor, imageGroundFor, imageDispatchOptions }: Upstreams, maxBodyBytes: number): ExchangeHandler =>
  async ({ head, body }) => {
    const value = parseBody(await body.bytes(maxBodyBytes));
    // 1 explores nothing: the answer is what nearly every request gets.
    const grounds: Grounds = {
      chats: { ...(await groundFor(head.principal)), random: 1 },
      images: { ...(await imageGroundFor(head.principal)), random: 1 },
      imageTargets: imageDispatchOptions.targets,
    };
    return jsonAnswer(describePlan(planFor(value, head, grounds), routing));
  };

function planFor(value: unknown, head: RequestHead, { chats, images, imageTargets }: Grounds): Plan {
  const image = imageBody(value);
  if (image !== undefined) {
    return planImage({ ...image, principal: head.principal, noFallback: asksNoFallback(head) }, images);
  }
  const request = asChatRequest(value);
  const { model } = resolveModel(request.model, chats.index);
  if (onlyPaints(model)) {
    return planPainting({ head, model: request.model, call: readPainting(request).call }, imageTargets, images);
  }
  return planWords({ head, request: withImagesAsked(request, model), model }, imageTargets, chats);
}
