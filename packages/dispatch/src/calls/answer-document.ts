import { readAll } from '@switchyard/outbound';
import { openRequest, type OwnRequest, type UpstreamTry } from '../attempts/open-request.ts';
import type { Timeouts } from '../attempts/timeouts.ts';
import { withinTotal } from '../attempts/within-total.ts';

/** Sends a request and returns its answer, parsed. */
export const answerDocument = (
  attempt: UpstreamTry & { equipment: { timeouts: Timeouts } },
  build: () => OwnRequest,
): Promise<unknown> =>
  withinTotal(attempt, async () => {
    const { body } = await openRequest(attempt, build, attempt.equipment.timeouts.plainFirstByteMs);
    const bytes = await readAll(body);
    return JSON.parse(bytes.toString('utf8'));
  });
