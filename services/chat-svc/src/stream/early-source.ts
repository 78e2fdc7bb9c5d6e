import type { StreamSource } from './stream-body.ts';

/** A source whose provider is still awaited: the client already reads comments. */
export function earlySource(pending: Promise<StreamSource>): StreamSource {
  let stream: StreamSource | undefined;
  return {
    async read() {
      stream ??= await pending;
      return stream.read();
    },
    cancel() {
      // A failure has been told to the outcome; nobody is left to hear it here.
      pending.then((late) => late.cancel()).catch(() => {});
    },
  };
}
