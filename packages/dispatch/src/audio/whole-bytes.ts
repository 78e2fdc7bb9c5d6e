import type { PassedBytes } from './passed-stream.ts';

/** An answer that has arrived completely. */
export function wholeBytes<Ending>(bytes: Uint8Array, ending: Ending): PassedBytes<Ending> {
  const left = [bytes];
  return {
    onEnd: (onEnd) => onEnd(undefined, ending),
    read: () => Promise.resolve(left.shift()),
    cancel: () => undefined,
  };
}
