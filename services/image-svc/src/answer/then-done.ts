/** A body, and what to do when it has left or is not wanted any more. */
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
