import type { Offer } from '@tallyport/contracts';
import { readAll } from '@tallyport/outbound';
import { openRequest, type UpstreamTry } from '../attempts/open-request.ts';
import type { OwnRequest } from '../targets/request-to.ts';
import type { Timeouts } from '../attempts/timeouts.ts';
import { stopAfterTotal } from '../attempts/total-timer.ts';
import type { CallAttempt } from './open-calls.ts';

/** The API of a vendor in which a call is one request with one document as its answer. */
interface DocumentFormat<Call, Answer> {
  request(call: Call, offer: Offer): OwnRequest;
  response(body: unknown, call: Call): Answer;
}

/** Sends a call and reads its answer. */
export async function answerCall<Call, Answer>(
  attempt: CallAttempt<Call, DocumentFormat<Call, Answer>>,
): Promise<Answer> {
  const { format, wanted, offer } = attempt;
  return format.response(await answerDocument(attempt, () => format.request(wanted, offer)), wanted);
}

/** Sends a request and returns its answer, parsed. */
async function answerDocument(
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
