import type { ExchangeHandler } from '@switchyard/bus';
import type { RequestHead } from '@switchyard/contracts';
import {
  type ImageDispatchOptions,
  type Plan,
  type PlanGround,
  needsOf,
  planChat,
  planImage,
  resolveModel,
  unsupportedIn,
} from '@switchyard/dispatch';
import { asksNoFallback, type Upstreams } from '@switchyard/dispatch-kit';
import { planImageChat } from '../images/complete-image-chat.ts';
import { onlyPaints } from '../images/only-paints.ts';
import { readImageChat } from '../images/read-image-chat.ts';
import { imageConfigRefusal, withImagesAsked } from '../images/speaks-and-paints.ts';
import { asChatRequest, parseJson } from '../parse-request.ts';
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
    const asked = parseJson(await body.bytes(maxBodyBytes));
    // 1 explores nothing: the answer is what nearly every request gets.
    const grounds: Grounds = {
      chats: { ...(await groundFor(head.principal)), random: 1 },
      images: { ...(await imageGroundFor(head.principal)), random: 1 },
      imageTargets: imageDispatchOptions.targets,
    };
    return jsonAnswer(describePlan(planFor(asked, head, grounds), routing));
  };

function planFor(asked: unknown, head: RequestHead, { chats, images, imageTargets }: Grounds): Plan {
  const { principal } = head;
  const noFallback = asksNoFallback(head);
  const image = imageBody(asked);
  if (image !== undefined) return planImage({ ...image, principal, noFallback }, images);
  const given = asChatRequest(asked);
  const { model } = resolveModel(given.model, chats.index);
  if (onlyPaints(model)) {
    return planImageChat({ model: given.model, call: readImageChat(given).call, head }, imageTargets, images);
  }
  const request = withImagesAsked(given, model);
  const streaming = request.stream === true;
  const demands = {
    needs: needsOf(request),
    unsupported: unsupportedIn({ request, stream: streaming }),
    refusal: imageConfigRefusal(request, model, imageTargets),
  };
  return planChat({ model: request.model, ...demands, principal, noFallback, streaming }, chats);
}
