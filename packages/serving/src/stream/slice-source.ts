import type { StreamSource } from './stream-body.ts';

/** A source of slices that hold whole events. A slice is not kept after it was read. */
export function sliceSource(slices: Iterator<Buffer>): StreamSource {
  return {
    read: () => Promise.resolve(slices.next().value ?? undefined),
    cancel: () => void slices.return?.(),
  };
}
