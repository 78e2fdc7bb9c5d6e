import { request } from 'node:http';
import { urlToHttpOptions } from 'node:url';

/** `silent`: the system accepted the connection, or nothing at all was received; the process may hang. */
export type ReplicaCheckResult = 'answers' | 'refuses' | 'silent';

/** Longer than a loaded replica needs for the head of a trivial response. */
export const checkTimeoutMs = 500;

/**
 * Checks whether the process at this address answers HTTP, whatever the status. Uses a connection of its own: the
 * system accepts connections for a hung process as well, so an open connection proves nothing.
 */
export function checkReplica(target: string, path: string): Promise<ReplicaCheckResult> {
  return new Promise((resolve) => {
    const sent = request({ ...urlToHttpOptions(new URL(target)), agent: false, method: 'HEAD', path });
    const end = (result: ReplicaCheckResult): void => {
      clearTimeout(timer);
      sent.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => end('silent'), checkTimeoutMs);
    sent.once('response', () => end('answers'));
    // The listener stays: `destroy()` emits another error.
    sent.on('error', () => end('refuses'));
    sent.end();
  });
}
