import type { ExchangeAnswer } from '@switchyard/bus';
import { errorBody, toGatewayError } from '@switchyard/contracts';
import { within } from '@switchyard/service-kit';
import { jsonHeaders } from '@switchyard/serving';
import type { Lease } from '../byte-budget.ts';
import { thenDone } from './then-done.ts';

/** JSON may begin with any of it. */
const whitespace = Buffer.from(' \n');

export interface PatientTerms {
  everyMs: number;
  lease: Lease;
  /** Those that are known before the answer is. */
  headers: Record<string, string>;
}

/** An answer whose status is sent before it is known, so that proxies keep the connection open. */
export function patientAnswer(pending: Promise<ExchangeAnswer>, terms: PatientTerms): ExchangeAnswer {
  const { everyMs, lease, headers } = terms;
  const body = pending.then((answer) =>
    answer.body instanceof Uint8Array ? thenDone([answer.body], () => {}) : answer.body,
  );
  const head = { status: 200, headers: { ...jsonHeaders, ...headers } };
  return { head, body: thenDone(patientBody(body, everyMs), lease.release) };
}

/** Whitespace until the answer is there; then the answer, or the error in its place. */
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
