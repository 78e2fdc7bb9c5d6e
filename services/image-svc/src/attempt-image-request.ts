import type { ImageDispatch, Targets } from '@switchyard/dispatch';
import { imageSettlement } from '@switchyard/metering';
import { findImageProvider, type ImageProvider } from '@switchyard/providers';
import type { PaidAnswer, RequestLife } from '@switchyard/serving';
import { finishImages } from './answer/finish-images.ts';
import { lengthOf } from './answer/held-answer.ts';
import { imagesSlices } from './answer/images-answer.ts';
import type { ImageEvents } from './events.ts';
import type { Pixels } from './pixels/pixels.ts';
import type { PlannedImages } from './planned-images.ts';

export interface ImageAttemptTools {
  dispatch: ImageDispatch;
  targets: Pick<Targets<ImageProvider>, 'custom'>;
  pixels: Pixels;
  events: ImageEvents;
}

/** Calls providers until one makes the images, and converts them to the format that was asked for. */
export async function attemptImageRequest(
  tools: ImageAttemptTools,
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
