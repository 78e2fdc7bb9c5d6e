import type { ByteSource } from './stream-body.ts';

/** The bytes of a source, unchanged. The end waits for the record; a failure breaks the body off. */
export async function* passedOn(source: ByteSource, recorded: () => Promise<void>): AsyncGenerator<Uint8Array> {
  let isOver = false;
  try {
    for (;;) {
      const bytes = await source.read();
      if (bytes === undefined) break;
      yield bytes;
    }
    isOver = true;
    await recorded();
  } finally {
    if (!isOver) source.cancel();
  }
}
