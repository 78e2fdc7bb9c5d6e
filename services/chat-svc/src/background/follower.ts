import { repeat } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import type { LeaseTimes } from './held-run.ts';
import { followerName } from './run-names.ts';

type FollowerStore = Pick<Store, 'delete' | 'find' | 'publish' | 'set' | 'subscribe'>;
type FollowerTimes = Pick<LeaseTimes, 'leaseMs' | 'renewEveryMs'>;

/** Says that a client follows a run whose open request is counted as concurrent, so that the run is not counted as well. */
export const showFollower = (store: FollowerStore, name: string, { leaseMs }: FollowerTimes): Promise<unknown> =>
  store.set(followerName(name), Buffer.from('1'), leaseMs);

/** Says so until the client leaves, or the returned function is called. */
export function keepFollower(
  store: FollowerStore,
  name: string,
  { times, client }: { times: FollowerTimes; client: AbortSignal },
): () => void {
  let isOver = false;
  const stopRenewing = repeat({ everyMs: times.renewEveryMs, onFailed() {} }, async () => {
    await showFollower(store, name, times);
    if (isOver) await clear();
  });

  async function clear(): Promise<void> {
    await store.delete(followerName(name));
    await store.publish(followerName(name), Buffer.alloc(0));
  }
  function leave(): void {
    if (isOver) return;
    isOver = true;
    stopRenewing();
    client.removeEventListener('abort', leave);
    void clear();
  }

  if (client.aborted) leave();
  else client.addEventListener('abort', leave, { once: true });
  return leave;
}

interface WatchedFollower {
  /** Aborts when the client has left, or its replica has died. */
  left: AbortSignal;
  stop(): void;
}

/** `undefined` if no client follows the run. */
export async function watchFollower(
  store: FollowerStore,
  name: string,
  everyMs: number,
): Promise<WatchedFollower | undefined> {
  // While the store is away, the run could not be counted either.
  const isThere = async (): Promise<boolean> => (await store.find(followerName(name))) !== 'none';
  if (!(await isThere())) return undefined;
  const left = new AbortController();
  async function look(): Promise<void> {
    if (!(await isThere())) left.abort();
  }
  const stopLooking = repeat({ everyMs, onFailed() {} }, look);
  const stopListening = store.subscribe(followerName(name), () => void look());
  const stop = (): void => {
    stopLooking();
    stopListening();
  };
  left.signal.addEventListener('abort', stop);
  return { left: left.signal, stop };
}
