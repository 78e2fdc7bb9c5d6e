import type { StreamSource } from './stream-body.ts';

/** The slices of whole events, one at a time. None is held after it was read. */
export function sliceSource(slices: Iterator<Buffer>): StreamSource {
  return {
    read: () => Promise.resolve(slices.next().value ?? undefined),
    cancel: () => void slices.return?.(),
  };
}
