import type { ExchangeAnswer } from '@tallyport/bus';

/** A body that runs a cleanup once it was sent or abandoned. */
export async function* withCleanup(
  body: ExchangeAnswer['body'] | Iterable<Uint8Array>,
  done: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    if (body instanceof Uint8Array) yield body;
    else yield* body;
  } finally {
    done();
  }
}
