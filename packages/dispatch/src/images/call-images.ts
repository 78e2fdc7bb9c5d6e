import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ImageCall, ImageJob, ImageResult } from '@tallyport/providers';
import { type LongStrings, parseKeepingLongStrings, textWithLongStrings } from '@tallyport/wire';
import { readAllPieces } from '@tallyport/outbound';
import { asAttemptFailure } from '../failure/classify.ts';
import { isStreamType } from '../chat/stream/frame-decoder.ts';
import { openRequest } from '../attempts/open-request.ts';
import type { OpenedResponse } from '../attempts/opened-response.ts';
import type { OwnRequest } from '../targets/request-to.ts';
import type { AttemptedImages, ImageAttempt } from './image-attempt.ts';
import { LostResult } from '../failure/lost-result.ts';
import { type ReadAnswer, collectImages, longStringBytes } from './made-images.ts';
import { readImageStream } from './read-image-stream.ts';

/** Bounds of the poll interval: frequent enough to notice the end, without flooding the vendor. */
const [soonestPollMs, latestPollMs] = [100, 30_000];
/** Consecutive failed polls before giving up. A poll costs nothing, and the job keeps running. */
const mostFailedPolls = 3;

export interface CallParts {
  call: ImageCall;
  strings: LongStrings;
}

/** Makes one call for images and polls its job until the images are ready. */
export async function callForImages(
  parts: CallParts,
  attempt: ImageAttempt,
  signal: AbortSignal,
): Promise<AttemptedImages> {
  const { provider, offer } = attempt;
  const buildRequest = (): OwnRequest => {
    const request = provider.request(parts.call, offer);
    return { ...request, body: textWithLongStrings(request.body, parts.strings) };
  };
  const opened = await open(attempt, buildRequest);
  if (isStream(parts.call, opened, attempt)) return readImageStream(parts.call, { attempt, opened, signal });
  let answer = await readAnswer(parts.call, attempt, opened);
  while (answer.kind === 'waiting') answer = await poll({ parts, job: answer }, attempt, signal);
  return collectImages(answer, attempt, signal);
}

type Answer = ImageJob | ({ kind: 'made' } & ReadAnswer);

const open = (attempt: ImageAttempt, buildRequest: () => OwnRequest): Promise<OpenedResponse> =>
  openRequest(attempt, buildRequest, attempt.equipment.timeouts.plainFirstByteMs);

/** A server that does not know `stream` answers as a whole, which is as good. */
function isStream({ partialImages }: ImageCall, { head }: OpenedResponse, { provider }: ImageAttempt): boolean {
  const type = head.headers['content-type'];
  if (partialImages === undefined || provider.event === undefined) return false;
  return isStreamType('sse', Array.isArray(type) ? type[0] : type);
}

async function readAnswer(call: ImageCall, attempt: ImageAttempt, { body }: OpenedResponse): Promise<Answer> {
  const pieces = await readAllPieces(body, attempt.task.holdAnswer);
  const context = { call, offer: attempt.offer };
  const read = (threshold: number) => {
    const { value, strings } = parseKeepingLongStrings(pieces, { threshold, nonce: randomUUID });
    return { strings, translate: (): ImageResult | ImageJob => attempt.provider.response(value, context) };
  };
  const { strings, translate } = read(longStringBytes);
  try {
    const answer = translate();
    return answer.kind === 'waiting' ? answer : { kind: 'made', made: answer, strings };
  } catch (thrown) {
    if (strings.byPlaceholder.size === 0) throw thrown;
    // An error quotes the answer, so it needs the provider's text instead of the placeholders.
    const whole = read(Infinity);
    const answer = whole.translate();
    return answer.kind === 'waiting' ? answer : { kind: 'made', made: answer, strings: whole.strings };
  }
}

interface PendingJob {
  parts: CallParts;
  job: ImageJob;
}

/** Polls a job. The job is running and will be billed, so a failed poll is no reason to start another one. */
async function poll({ parts, job }: PendingJob, attempt: ImageAttempt, signal: AbortSignal): Promise<Answer> {
  for (let failed = 0; ;) {
    await pause(Math.min(Math.max(job.afterMs, soonestPollMs), latestPollMs), undefined, { signal }).catch(() => {
      throw signal.reason;
    });
    try {
      return await readAnswer(parts.call, attempt, await open(attempt, () => job.next));
    } catch (thrown) {
      signal.throwIfAborted();
      if (!asAttemptFailure(thrown, attempt.provider.id, attempt.status).retryable || jobHasFailed(attempt))
        throw thrown;
      failed += 1;
      if (failed < mostFailedPolls) continue;
      throw new LostResult('accepted the job, but its result could not be fetched', { cause: thrown });
    }
  }
}

/** An error reported with a 2xx status is about the job itself, not about the poll. */
const jobHasFailed = ({ status }: ImageAttempt): boolean => status !== null && status < 300;
