import type { AnswerEvent } from '@tallyport/wire';
import type { StreamSource } from '../stream/stream-body.ts';

interface Tap {
  onEvents(events: readonly AnswerEvent[]): void;
  onEnd(): void;
  /** The stream failed, or its reader left before its end. */
  onBroken(): void;
  /** Whether to read on to the end after the reader has left. */
  wanted(): boolean;
}

/** Returns the same stream, whose events are also reported to the tap. */
export function tapSource(source: StreamSource, tap: Tap): StreamSource {
  let left = false;
  const read = async (): Promise<readonly AnswerEvent[] | undefined> => {
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
  let reading: Promise<readonly AnswerEvent[] | undefined> | undefined;
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
