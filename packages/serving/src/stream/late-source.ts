import type { StreamSource } from './stream-body.ts';

/** A source that is still pending, for a body whose head has already been sent. */
export function lateSource(pending: Promise<StreamSource>): StreamSource {
  let stream: StreamSource | undefined;
  return {
    async read() {
      stream ??= await pending;
      return stream.read();
    },
    cancel() {
      // The failure was reported with the outcome, and the client has left.
      pending.then((late) => late.cancel()).catch(() => {});
    },
  };
}
