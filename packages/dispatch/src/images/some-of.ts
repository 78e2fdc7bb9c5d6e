import type { GatewayError } from '@switchyard/contracts';
import { mergedImagesUsage } from './images-usage.ts';
import { asAttemptFailure } from '../failure/classify.ts';
import type { AttemptedImages, ImageAttempt } from './image-attempt.ts';
import { LostResult } from '../failure/lost-result.ts';

/** How a call for some of the images ended. */
export type ImageCallResult = PromiseSettledResult<AttemptedImages>;

/** What was made is answered; when nothing was, the fault that decides what happens next is thrown. */
export function someOf(settled: readonly ImageCallResult[], attempt: ImageAttempt): AttemptedImages {
  const made = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const thrown = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const [first, ...others] = made;
  if (first === undefined) throw decisive(thrown, attempt);
  const all = [first, ...others];
  const usage = mergedImagesUsage(all);
  const { usage: _first, ...told } = first;
  return {
    ...told,
    images: all.flatMap(({ images }) => images),
    failures: [...all.flatMap(({ failures }) => failures), ...thrown.map((each) => asFailure(each, attempt))],
    ...(usage && { usage }),
  };
}

export const asFailure = (thrown: unknown, { provider, status }: ImageAttempt): GatewayError =>
  asAttemptFailure(thrown, provider.id, status).error;

/** What was paid for is not tried again; else another provider is tried where one of the faults allows it. */
function decisive(thrown: readonly unknown[], { provider, status }: ImageAttempt): unknown {
  return (
    thrown.find((each) => each instanceof LostResult) ??
    thrown.find((each) => asAttemptFailure(each, provider.id, status).retryable) ??
    thrown[0]
  );
}
