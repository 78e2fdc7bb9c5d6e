/** A source of a stream's bytes. `read` resolves with `undefined` at a proper end. */
export interface ByteSource {
  read(): Promise<Uint8Array | undefined>;
  /** Called when the reader leaves. */
  cancel(): void;
}

export interface Tap {
  onEvents(events: Uint8Array): void;
  onEnd(): void;
  /** The stream failed, or its reader left before its end. */
  onBroken(): void;
  /** Whether to read on to the end after the reader has left. */
  wanted(): boolean;
}

/** Returns the same stream, whose events are also reported to the tap. */
export function tapSource(source: ByteSource, tap: Tap): ByteSource {
  let left = false;
  const read = async (): Promise<Uint8Array | undefined> => {
    try {
      const events = await source.read();
      if (events === undefined) tap.onEnd();
      else tap.onEvents(events);
      return events;
    } catch (thrown) {
      tap.onBroken();
      throw thrown;
    }
  };
  const stop = (): void => {
    source.cancel();
    tap.onBroken();
  };
  const readOn = async (): Promise<void> => {
    while (tap.wanted()) if ((await read()) === undefined) return;
    stop();
  };
  let reading: Promise<Uint8Array | undefined> | undefined;
  return {
    read: () => (reading = read()),
    cancel() {
      if (left) return;
      left = true;
      if (!tap.wanted()) return stop();
      // One reader at a time: waits for the last read of the reader that left.
      void Promise.resolve(reading)
        .then((last) => (reading !== undefined && last === undefined ? undefined : readOn()))
        .catch(() => {});
    },
  };
}
