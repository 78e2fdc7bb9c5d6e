import type { StreamSource } from './stream-body.ts';

/** A source that is not there yet, for a body whose head was sent already. */
export function lateSource(pending: Promise<StreamSource>): StreamSource {
  let stream: StreamSource | undefined;
  return {
    async read() {
      stream ??= await pending;
      return stream.read();
    },
    cancel() {
      // A failure was reported with the outcome, and the client is gone.
      pending.then((late) => late.cancel()).catch(() => {});
    },
  };
}
