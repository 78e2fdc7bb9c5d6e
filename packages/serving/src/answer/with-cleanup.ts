/** A body that runs a cleanup once it was sent or abandoned. */
export async function* withCleanup(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  done: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    done();
  }
}
