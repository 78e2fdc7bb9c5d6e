import { checkTimeoutMs, type ReplicaCheckResult } from './check-replica.ts';

/** The state of one replica as edge knows it. */
export interface ProxiedReplica {
  /**
   * Whether the replica can take a request, by a recent check or one made now. Never waits for a replica that hung at
   * the last check.
   */
  answers(): Promise<boolean>;
  /** Reports a failed request: the replica is checked before it gets the next one. */
  suspect(): void;
  /**
   * Watches the replica during a request: `lost` is called once it has missed all checks for ten seconds. Call the
   * returned function when the request ends.
   */
  watch(lost: () => void): () => void;
}

/** How long a successful check is trusted. */
const trustedMs = 1_000;
/**
 * Missed checks in a row (ten seconds of them) after which pending requests are given up. Checks are counted rather
 * than time, so that a pause of this process counts as one missed check.
 */
const mostUnanswered = 10_000 / checkTimeoutMs;

export function watchReplica(checkReplica: () => Promise<ReplicaCheckResult>): ProxiedReplica {
  const waiting = new Set<() => void>();
  let trustedUntil = 0;
  let unanswered = 0;
  let last: ReplicaCheckResult = 'answers';
  let checking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function checkNow(): Promise<void> {
    last = await checkReplica();
    checking = undefined;
    if (last === 'answers') trustedUntil = performance.now() + trustedMs;
    unanswered = last === 'answers' ? 0 : unanswered + 1;
    if (unanswered >= mostUnanswered) for (const lost of waiting) lost();
    if (waiting.size > 0) checkAgain(last === 'silent' ? 0 : trustedMs);
  }

  /** One check at a time, shared by all callers. */
  const checkOnce = (): Promise<void> => (checking ??= checkNow());

  function checkAgain(afterMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (waiting.size > 0) void checkOnce();
    }, afterMs).unref();
  }

  return {
    async answers() {
      if (trustedUntil > performance.now()) return true;
      const checked = checkOnce();
      if (last === 'silent') return false;
      await checked;
      return trustedUntil > performance.now();
    },
    suspect() {
      trustedUntil = 0;
    },
    watch(lost) {
      waiting.add(lost);
      checkAgain(trustedMs);
      return () => waiting.delete(lost);
    },
  };
}
