import { imageCalls } from '@tallyport/providers';
import { stopAttempt } from '../attempts/open-request.ts';
import { stopAfterTotal } from '../attempts/total-timer.ts';
import { callForImages } from './call-images.ts';
import type { AttemptedImages, ImageAttempt } from './image-attempt.ts';
import { type FetchedImages, withInputs } from './input-images.ts';
import { someOf } from './some-of.ts';

/** Makes all images at one provider, in as many calls as that takes. Succeeds if any call made an image. */
export async function attemptAllImages(attempt: ImageAttempt, known: FetchedImages): Promise<AttemptedImages> {
  const { provider, offer } = attempt;
  const leaving = new AbortController();
  const parts: ImageAttempt[] = [];
  attempt.call = {
    abort(failure) {
      leaving.abort(failure);
      for (const part of parts) stopAttempt(part, failure);
    },
    discardRest: () => undefined,
  };
  const timer = stopAfterTotal(attempt);
  try {
    if (attempt.stopped !== undefined) throw attempt.stopped;
    const { call, strings } = await withInputs(attempt, known, leaving.signal);
    const pending = imageCalls(call, provider.abilities(offer)).map((each) => {
      const part: ImageAttempt = { ...attempt, call: undefined };
      parts.push(part);
      const made = callForImages({ call: each, strings }, part, leaving.signal);
      return made.finally(() => (attempt.status ??= part.status));
    });
    const settled = await Promise.allSettled(pending);
    leaving.signal.throwIfAborted();
    return someOf(settled, attempt);
  } finally {
    clearTimeout(timer);
  }
}
