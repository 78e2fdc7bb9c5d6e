import { errorBody, toGatewayError } from '@switchyard/contracts';
import { within } from '@switchyard/service-kit';

/** JSON may begin with any of it. */
const whitespace = Buffer.from(' \n');

/** A body that is not there yet: whitespace while it is awaited, and in the end the answer, or the error in its place. */
export async function* patientBody(
  pending: Promise<AsyncIterable<Uint8Array>>,
  everyMs: number,
): AsyncGenerator<Uint8Array> {
  const told = pending.catch((thrown: unknown) => [Buffer.from(JSON.stringify(errorBody(toGatewayError(thrown))))]);
  for (;;) {
    yield whitespace;
    const body = await within(told, everyMs);
    if (body === undefined) continue;
    yield* body;
    return;
  }
}

/** A body, and what is to be done when it has left or nobody wants it any more. */
export async function* thenDone(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  done: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    done();
  }
}
