/** Where the bytes of a stream come from. `undefined` is its proper end. */
export interface ByteSource {
  read(): Promise<Uint8Array | undefined>;
  /** The reader has left. */
  cancel(): void;
}

export interface Tap {
  onEvents(events: Uint8Array): void;
  onEnd(): void;
  /** The stream failed, or its reader left before its end. */
  onBroken(): void;
  /** Whether to read the stream to its end without its reader. */
  wanted(): boolean;
}

/** The same stream, whose events are reported to the tap too. */
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
      // One reader at a time: the last read of the one who left comes first.
      void Promise.resolve(reading)
        .then((last) => (reading !== undefined && last === undefined ? undefined : readOn()))
        .catch(() => {});
    },
  };
}
