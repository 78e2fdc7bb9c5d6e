import type { ServedStream } from '@switchyard/dispatch';
import type { StreamSource } from './stream-body.ts';

/** A source whose provider is still awaited: the client already reads comments. */
export function earlySource(pending: Promise<ServedStream>): StreamSource {
  let stream: ServedStream | undefined;
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
