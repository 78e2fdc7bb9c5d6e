import type { Offer } from '@tallyport/contracts';
import { costOfImages, estimateImagesUsage } from '@tallyport/pricing';
import { acceptedBy } from '../attempts/accepted-by.ts';
import type { Run } from '../attempts/run.ts';
import type { AttemptFailure } from '../failure/attempt-failure.ts';
import type { ImageOutcome, ImageTask } from './image-task.ts';

type OwedImages = Pick<ImageOutcome, 'usage' | 'cost'> & { offer: Offer; imagesOwed: number };

/** The cost of an image request whose client left while a provider was working on it: that of all requested images. */
export function owedImages(run: Run<ImageTask>, last: AttemptFailure | undefined): OwedImages | undefined {
  const offer = acceptedBy(run, last)?.offer;
  if (offer === undefined) return undefined;
  const { call } = run.job;
  const usage = estimateImagesUsage(call, offer);
  return { offer, usage, cost: costOfImages(offer, call.n, usage), imagesOwed: call.n };
}
