import type { Model, RequestHead } from '@switchyard/contracts';
import {
  asksNoFallback,
  type ImageDispatchOptions,
  imageRefusalIn,
  needsOf,
  type Plan,
  planChat,
  type PlanGround,
  planImage,
  unsupportedByOffer,
} from '@switchyard/dispatch';
import type { ImageCall } from '@switchyard/providers';
import type { ChatRequest } from '@switchyard/wire';
import { imageConfigRefusal } from './images/speaks-and-paints.ts';

type ImageTargets = ImageDispatchOptions['targets'];

export interface WordsQuestion {
  head: RequestHead;
  request: ChatRequest;
  model: Model;
}

/** Which offers to try for a chat that is answered in words. Throws as `planChat` does. */
export function planWords({ head, request, model }: WordsQuestion, targets: ImageTargets, ground: PlanGround): Plan {
  const streaming = request.stream === true;
  const question = {
    model: request.model,
    needs: needsOf(request),
    unsupported: unsupportedByOffer({ request, stream: streaming }),
    refusal: imageConfigRefusal(request, model, targets),
    principal: head.principal,
    noFallback: asksNoFallback(head),
    streaming,
  };
  return planChat(question, ground);
}

export interface PaintingQuestion {
  head: RequestHead;
  /** `model` as the client wrote it. */
  model: string;
  call: ImageCall;
}

/** The same for a chat that is answered with images only. */
export function planPainting({ head, model, call }: PaintingQuestion, targets: ImageTargets, ground: PlanGround): Plan {
  const question = {
    model,
    editing: call.operation === 'edit',
    refusal: imageRefusalIn(call, targets),
    principal: head.principal,
    noFallback: asksNoFallback(head),
  };
  return planImage(question, ground);
}
