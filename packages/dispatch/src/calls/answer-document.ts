import { readAll } from '@tallyport/outbound';
import { openRequest, type UpstreamTry } from '../attempts/open-request.ts';
import type { OwnRequest } from '../targets/request-to.ts';
import type { Timeouts } from '../attempts/timeouts.ts';
import { stopAfterTotal } from '../attempts/total-timer.ts';

/** Sends a request and returns its answer, parsed. */
export async function answerDocument(
  attempt: UpstreamTry & { equipment: { timeouts: Timeouts } },
  build: () => OwnRequest,
): Promise<unknown> {
  const timer = stopAfterTotal(attempt);
  try {
    const { body } = await openRequest(attempt, build, attempt.equipment.timeouts.plainFirstByteMs);
    const bytes = await readAll(body);
    return JSON.parse(bytes.toString('utf8'));
  } finally {
    clearTimeout(timer);
  }
}
