import type { StreamSource } from '../stream/stream-body.ts';

/** The slices of whole events, one after the other; none is held after it has left. */
export function imageSource(slices: Iterator<Buffer>): StreamSource {
  return {
    read: () => Promise.resolve(slices.next().value ?? undefined),
    cancel: () => void slices.return?.(),
  };
}
