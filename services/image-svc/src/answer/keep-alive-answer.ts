import type { ExchangeAnswer } from '@tallyport/bus';
import { errorBody, toGatewayError } from '@tallyport/contracts';
import { within } from '@tallyport/service-kit';
import { jsonHeaders, type Lease, withCleanup } from '@tallyport/serving';

/** JSON may start with any amount of whitespace. */
const whitespace = Buffer.from(' \n');

interface KeepAliveOptions {
  /** `undefined` waits without sending anything. */
  everyMs: number | undefined;
  lease: Lease;
  /** Returns the headers known before the answer. */
  soFar(): Record<string, string>;
}

/** Waits for the answer. After `everyMs` it sends the status, before the result is known, to keep connections open. */
export async function keepAliveAnswer(
  pending: Promise<ExchangeAnswer>,
  { everyMs, lease, soFar }: KeepAliveOptions,
): Promise<ExchangeAnswer> {
  if (everyMs === undefined) return pending;
  const answer = await within(pending, everyMs);
  if (answer !== undefined) return answer;
  let hasFailed = false;
  const body = pending.then(
    (late) => {
      hasFailed = late.head.status >= 400;
      return late.body instanceof Uint8Array ? withCleanup(late.body, () => {}) : late.body;
    },
    (thrown: unknown) => {
      hasFailed = true;
      throw thrown;
    },
  );
  const head = { status: 200, headers: { ...jsonHeaders, ...soFar() } };
  return { head, body: withCleanup(keepAliveBody(body, everyMs), lease.release), failed: () => hasFailed };
}

/** Yields whitespace until the answer arrives, then the answer or an error in its place. */
export async function* keepAliveBody(
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
