import type { GatewayError } from '@tallyport/contracts';
import { mergedImagesUsage } from './images-usage.ts';
import { asAttemptFailure } from '../failure/classify.ts';
import type { AttemptedImages, ImageAttempt } from './image-attempt.ts';
import { LostResult } from '../failure/lost-result.ts';
import { ShownResult } from '../failure/shown-result.ts';

/** The result of one of several calls that share the requested images. */
export type ImageCallResult = PromiseSettledResult<AttemptedImages>;

/** Merges the images that were made. If there are none, throws the error that decides what happens next. */
export function someOf(settled: readonly ImageCallResult[], attempt: ImageAttempt): AttemptedImages {
  const made = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const thrown = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const [first, ...others] = made;
  if (first === undefined) throw decisive(thrown, attempt);
  const all = [first, ...others];
  const usage = mergedImagesUsage(all);
  const { usage: _first, ...rest } = first;
  return {
    ...rest,
    images: all.flatMap(({ images }) => images),
    failures: [...all.flatMap(({ failures }) => failures), ...thrown.map((each) => asFailure(each, attempt))],
    ...(usage && { usage }),
  };
}

export const asFailure = (thrown: unknown, { provider, status }: ImageAttempt): GatewayError =>
  asAttemptFailure(thrown, provider.id, status).error;

/** A lost or shown result wins, because it must not be requested again. Otherwise a retryable error wins. */
function decisive(thrown: readonly unknown[], { provider, status }: ImageAttempt): unknown {
  return (
    thrown.find((each) => each instanceof LostResult || each instanceof ShownResult) ??
    thrown.find((each) => asAttemptFailure(each, provider.id, status).retryable) ??
    thrown[0]
  );
}
