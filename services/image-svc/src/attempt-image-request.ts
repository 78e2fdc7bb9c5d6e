import type { Offer } from '@tallyport/contracts';
import { base64Length, type ImageDispatch, type ImageTask, type Targets } from '@tallyport/dispatch';
import { imageSettlement } from '@tallyport/serving/metering';
import type { Pixels } from '@tallyport/pixels';
import { findImageProvider, type ImageProvider, requestedPixels, styleOf } from '@tallyport/providers';
import type { PaidAnswer, RequestLife } from '@tallyport/serving';
import { totalBytes } from '@tallyport/wire';
import { finishImages, type FinishOptions } from './answer/finish-images.ts';
import { type ImagesAnswer, imagesDocument } from './answer/images-answer.ts';
import type { ImageEvents } from './events.ts';
import type { PlannedImages } from './planned-images.ts';

export interface ImageAttemptTools {
  dispatch: ImageDispatch;
  targets: Pick<Targets<ImageProvider>, 'custom'>;
  pixels: Pixels;
  events: ImageEvents;
}

/** Answers with all images at once. */
export async function attemptImageRequest(
  tools: ImageAttemptTools,
  planned: PlannedImages,
  life: RequestLife,
): Promise<PaidAnswer> {
  const answer = await makeAndFinish(tools, planned, life);
  const { routing, failures } = answer.made;
  const content = { kind: 'whole', document: imagesDocument(answer), complete: failures.length === 0 } as const;
  return { offer: answer.served.offer, attempts: routing.length, content };
}

/** `onPartial` gets the partial images of a provider that sends them. */
type MakingLife = RequestLife & Pick<ImageTask, 'onPartial'>;

/** Calls providers until one makes the images, and converts them to the requested format and size. */
export async function makeAndFinish(
  tools: ImageAttemptTools,
  { head, operation, request, plan, lease }: PlannedImages,
  { signal, settle, others, onPartial }: MakingLife,
): Promise<ImagesAnswer> {
  const { events } = tools;
  const { call, strings, imagePaths, stream } = request;
  const created = Math.floor(Date.now() / 1000);
  const ended = events[operation].begin({ head, plan, stream });
  const { images: raw, ...made } = await tools.dispatch.make({
    call,
    strings,
    imagePaths,
    plan,
    signal,
    holdBytes: (bytes) => lease.take(base64Length(bytes)),
    ...(onPartial && { onPartial }),
    onOutcome(outcome) {
      settle(imageSettlement(outcome, call.prompt));
      ended(outcome);
    },
  });
  const { offer } = made;
  lease.settle(raw.reduce((sum, { base64 }) => sum + totalBytes(base64), 0));
  const options = finishOptions(tools, { call, offer, signal });
  const images = await finishImages(raw, options);
  // A converted or enlarged image has other bytes.
  lease.settle(images.reduce((sum, { base64 }) => sum + totalBytes(base64), 0));
  events.made({ plan, operation, offer, images });
  const style = styleOf(call, options.abilities);
  return { served: { head, plan, offer, others }, created, made, images, requested: requestedPixels(call), style };
}

/** How images of this offer are converted. */
export function finishOptions(
  { targets, pixels }: Pick<ImageAttemptTools, 'targets' | 'pixels'>,
  { call, offer, signal }: Pick<FinishOptions, 'call' | 'signal'> & { offer: Offer },
): FinishOptions {
  const provider = findImageProvider(offer.providerId) ?? targets.custom?.(offer.providerId);
  return { call, abilities: provider?.abilities(offer) ?? { outputFormats: [] }, pixels, signal };
}
