import type { ExchangeAnswer } from '@switchyard/bus';
import { errorBody, toGatewayError } from '@switchyard/contracts';
import { within } from '@switchyard/service-kit';
import { jsonHeaders } from '@switchyard/serving';
import type { Lease } from '../byte-budget.ts';
import { thenDone } from './then-done.ts';

/** JSON may begin with any of it. */
const whitespace = Buffer.from(' \n');

export interface PatientTerms {
  /** `undefined`: the answer is waited for in silence. */
  everyMs: number | undefined;
  lease: Lease;
  /** The headers that are known before the answer is. */
  soFar(): Record<string, string>;
}

/** Waits for the answer; after `everyMs` the status is sent before it is known, so that proxies keep the connection open. */
export async function patientAnswer(
  pending: Promise<ExchangeAnswer>,
  { everyMs, lease, soFar }: PatientTerms,
): Promise<ExchangeAnswer> {
  if (everyMs === undefined) return pending;
  const answer = await within(pending, everyMs);
  if (answer !== undefined) return answer;
  const body = pending.then((late) => (late.body instanceof Uint8Array ? thenDone([late.body], () => {}) : late.body));
  const head = { status: 200, headers: { ...jsonHeaders, ...soFar() } };
  return { head, body: thenDone(patientBody(body, everyMs), lease.release) };
}

/** Whitespace until the answer arrives; then the answer, or the error in its place. */
export async function* patientBody(
  pending: Promise<AsyncIterable<Uint8Array>>,
  everyMs: number,
): AsyncGenerator<Uint8Array> {
  const body = pending.catch((thrown: unknown) => [Buffer.from(JSON.stringify(errorBody(toGatewayError(thrown))))]);
  for (;;) {
    yield whitespace;
    const arrived = await within(body, everyMs);
    if (arrived === undefined) continue;
    yield* arrived;
    return;
  }
}
