import type { ChatCompletion } from '@switchyard/wire';
import { type Attempt, openResponse, stopAttempt } from './attempt.ts';
import { UpstreamFailure } from './upstream/failure.ts';
import { readAll } from './upstream/read-all.ts';

/** The whole answer or nothing: it commits when it is complete and understood. */
export async function attemptPlain(attempt: Attempt): Promise<ChatCompletion> {
  const { totalPlainMs } = attempt.equipment.timeouts;
  const timer = setTimeout(() => {
    stopAttempt(attempt, new UpstreamFailure('max_duration', `took longer than ${totalPlainMs} ms`));
  }, totalPlainMs);
  try {
    const { body } = await openResponse(attempt);
    const bytes = await readAll(body);
    return attempt.provider.response(JSON.parse(bytes.toString('utf8')), attempt.context);
  } finally {
    clearTimeout(timer);
  }
}
