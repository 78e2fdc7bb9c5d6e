import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ImageCall, ImageJob, ImagesMade } from '@switchyard/providers';
import { type LongStrings, parseKeepingLongStrings, textWithLongStrings } from '@switchyard/wire';
import { asAttemptFailure } from '../failure/classify.ts';
import { type OwnRequest, openRequest } from '../attempts/open-request.ts';
import { readAllPieces } from '../upstream/read-all.ts';
import type { AttemptedImages, ImageAttempt } from './image-attempt.ts';
import { LostResult } from '../failure/lost-result.ts';
import { type ReadAnswer, collectImages } from './made-images.ts';

/** Images stay the provider's bytes; everything shorter is parsed. */
const longStringBytes = 16 * 1024;
/** A job is asked for neither in a rush nor so rarely that its end goes unnoticed. */
const [soonestPollMs, latestPollMs] = [100, 30_000];
/** In a row; asking costs nothing, and the job goes on meanwhile. */
const mostFailedPolls = 3;

export interface CallParts {
  call: ImageCall;
  strings: LongStrings;
}

/** One call for images, with everything that has to be asked until they are there. */
export async function callForImages(
  parts: CallParts,
  attempt: ImageAttempt,
  signal: AbortSignal,
): Promise<AttemptedImages> {
  const { provider, offer } = attempt;
  const ask = (): OwnRequest => {
    const request = provider.request(parts.call, offer);
    return { ...request, body: textWithLongStrings(request.body, parts.strings) };
  };
  let answer = await readAnswer(parts.call, attempt, ask);
  while (answer.kind === 'waiting') answer = await askAgain({ parts, job: answer }, attempt, signal);
  return collectImages(answer, attempt, signal);
}

type Answer = ImageJob | ({ kind: 'made' } & ReadAnswer);

async function readAnswer(call: ImageCall, attempt: ImageAttempt, ask: () => OwnRequest): Promise<Answer> {
  const { body } = await openRequest(attempt, ask, attempt.equipment.timeouts.plainFirstByteMs);
  const pieces = await readAllPieces(body);
  const context = { call, offer: attempt.offer };
  const read = (threshold: number) => {
    const { value, strings } = parseKeepingLongStrings(pieces, { threshold, nonce: randomUUID() });
    return { strings, translate: (): ImagesMade | ImageJob => attempt.provider.response(value, context) };
  };
  const { strings, translate } = read(longStringBytes);
  try {
    const answer = translate();
    return answer.kind === 'waiting' ? answer : { kind: 'made', made: answer, strings };
  } catch (thrown) {
    if (strings.byPlaceholder.size === 0) throw thrown;
    // An error quotes the answer, and has to quote what the provider wrote.
    const whole = read(Infinity);
    const answer = whole.translate();
    return answer.kind === 'waiting' ? answer : { kind: 'made', made: answer, strings: whole.strings };
  }
}

interface PendingJob {
  parts: CallParts;
  job: ImageJob;
}

/** The job runs and is paid for: that it cannot be asked for is no reason to begin another one. */
async function askAgain({ parts, job }: PendingJob, attempt: ImageAttempt, signal: AbortSignal): Promise<Answer> {
  for (let failed = 0; ;) {
    await pause(Math.min(Math.max(job.afterMs, soonestPollMs), latestPollMs), undefined, { signal }).catch(() => {
      throw signal.reason;
    });
    try {
      return await readAnswer(parts.call, attempt, () => job.next);
    } catch (thrown) {
      signal.throwIfAborted();
      if (!asAttemptFailure(thrown, attempt.provider.id, attempt.status).retryable || tellsOfItsJob(attempt))
        throw thrown;
      failed += 1;
      if (failed < mostFailedPolls) continue;
      throw new LostResult('took the job, but does not tell what came of it', { cause: thrown });
    }
  }
}

/** A good answer that tells of a failure: the job itself has failed. */
const tellsOfItsJob = ({ status }: ImageAttempt): boolean => status !== null && status < 300;
