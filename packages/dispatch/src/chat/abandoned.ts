import { estimateUsage, largerUsage } from '@tallyport/pricing';
import { acceptedBy } from '../attempts/accepted-by.ts';
import type { Run } from '../attempts/run.ts';
import type { AttemptFailure } from '../failure/attempt-failure.ts';
import type { ChatJob } from './chat-job.ts';
import { type ChatOutcome, nothingDelivered } from './chat-outcome.ts';
import { summedUsage } from './fan-out/summed-usage.ts';

type Undelivered = Pick<ChatOutcome, keyof typeof nothingDelivered>;

/** The cost of a chat whose client left before the first content: the prompts that the provider already has. */
export function abandoned(run: Run<ChatJob>, last: AttemptFailure | undefined): Undelivered | undefined {
  const attempt = acceptedBy(run, last);
  if (attempt === undefined) return undefined;
  const { offer, accepted } = attempt;
  const prompt = estimateUsage(run.job.call.request, { bytes: 0, images: 0 }, offer);
  const calls = Array.from({ length: accepted.count }, () => prompt);
  const usage = largerUsage(accepted.usage, summedUsage(calls), offer);
  return { ...nothingDelivered, served: offer, usage, usageEstimated: true };
}
