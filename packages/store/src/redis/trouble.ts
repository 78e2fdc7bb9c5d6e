import { LateError } from '../deadline.ts';
import type { StoreEvent, StoreState } from '../store.ts';

/** Tracks whether the server answers, and reports changes only: a log line per command would flood the log. */
interface Trouble {
  away(error: Error): void;
  back(): void;
  swallowed(): void;
  /** Stops reporting. */
  close(): void;
  state(): StoreState;
}

export function watchTrouble(report: (event: StoreEvent) => void): Trouble {
  let state: StoreState = { connected: false, error: 'not connected yet' };
  let awaySince: number | undefined;
  let swallowed = 0;
  let closed = false;

  return {
    away(error) {
      if (closed) return;
      const reason = explain(error);
      state = { connected: false, error: reason };
      if (awaySince !== undefined) return;
      awaySince = performance.now();
      swallowed = 0;
      report({ kind: 'away', reason, error: withoutCommand(error) });
    },
    back() {
      if (closed) return;
      state = { connected: true };
      if (awaySince === undefined) return;
      report({ kind: 'back', awayMs: Math.round(performance.now() - awaySince), swallowed });
      awaySince = undefined;
    },
    swallowed() {
      swallowed += 1;
    },
    close() {
      closed = true;
      state = { connected: false, error: 'closed' };
    },
    state: () => state,
  };
}

const reasons: readonly [pattern: RegExp, reason: string][] = [
  [/ECONNREFUSED/, 'connection refused'],
  [/ENOTFOUND|EAI_AGAIN/, 'host not found'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|Connection timeout/, 'not reachable'],
  [/^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH)/, 'access denied'],
  [/^LOADING/, 'still loading its data'],
  [/^(READONLY|MASTERDOWN)/, 'not the primary'],
  [/sentinel .* invalid reply: null/, 'its Sentinels do not know the primary in the URL'],
  [/cluster support disabled/, 'not a cluster: use redis:// or rediss://'],
  [/^MOVED/, 'part of a cluster: use redis+cluster:// or rediss+cluster://'],
  [/^CLUSTERDOWN/, 'its cluster is down'],
  [/^ERR (invalid )?DB index/, 'no such database'],
  [/CERT|SELF_SIGNED|UNABLE_TO_/, 'certificate cannot be verified: see NODE_EXTRA_CA_CERTS'],
  [/^(OOM|MISCONF)/, 'cannot write'],
  [/queue is full/, 'does not keep up'],
];

/** A short reason for the public health endpoint, without hosts, addresses or URLs. */
export function explain(error: Error): string {
  if (error instanceof LateError) return error.message;
  const code = 'code' in error ? String(error.code) : '';
  return reasons.find(([pattern]) => pattern.test(error.message) || pattern.test(code))?.[1] ?? 'connection lost';
}

/** Whether the server has answered with an error. */
export const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';

/** The library adds the command to an error, with its arguments: passwords and values, which are not for the log. */
function withoutCommand(error: Error): Error {
  Reflect.deleteProperty(error, 'command');
  return error;
}
