import {
  type ByteQuota,
  dropPieces,
  knownValues,
  type Pieces,
  readPieces,
  type Store,
  writePieces,
} from '@tallyport/store';
import { newHolder, putInQueue } from './held-run.ts';
import { dropLog } from './run-log.ts';
import {
  cancelChannel,
  cancelName,
  endingName,
  keyName,
  logName,
  queueName,
  requestName,
  runName,
} from './run-names.ts';
import { decodeRun, deletedRun, encodeRun, type RunRecord } from './run-record.ts';
import { decodeRunRequest, encodeRunRequest, type RunRequest } from './run-request.ts';
import { takeKey } from './run-key.ts';
import { accountIsFull, queueIsFull, runsUnavailable, tooManyRuns } from './refusals.ts';

/** Whose a run is: keys of another project of the account do not know it. */
export interface RunOwner {
  accountId: string;
  /** Absent for keys in no project. */
  projectId?: string | undefined;
}

export interface NewRun {
  id: string;
  owner: RunOwner;
  /** The name of its form. */
  api: string;
  answerRules: string;
  /** Unix milliseconds. */
  createdAt: number;
  request: RunRequest;
  /** A client follows it from its beginning, whose open request is counted as concurrent. */
  isFollowed: boolean;
  /** Names the Idempotency-Key and the request that begin it. */
  key?: string | undefined;
}

export interface FoundRun {
  name: string;
  record: RunRecord;
}

/** What is stored of runs, for all replicas. */
export interface Runs {
  /** Stores a new run, which the caller has. Throws if the account or the queue has no room, or the store is unavailable. */
  create(run: NewRun): Promise<FoundRun>;
  /** The run that a key has begun; `undefined` if there is none. Fails like `find`. */
  findByKey(owner: RunOwner, key: string): Promise<FoundRun | undefined>;
  /** `undefined` if there is none. Throws `unavailable` if that is unknown. */
  find(owner: RunOwner, id: string): Promise<FoundRun | undefined>;
  /** Takes runs that no replica has. */
  take(most: number): Promise<FoundRun[]>;
  /** Takes a run from the holder that its record names, unless it has another one or has ended by now. */
  claim(run: FoundRun): Promise<FoundRun | undefined>;
  /** The latest record. */
  refresh(name: string): Promise<RunRecord | 'none' | 'unknown'>;
  /** `undefined` if it is lost. Throws `unavailable` if that is unknown. */
  readRequest(run: FoundRun): Promise<RunRequest | undefined>;
  /** Stores how a run ended. */
  writeEnding(name: string, document: object): Promise<Pieces | undefined>;
  /** Fails like `readRequest`. */
  readEnding(run: FoundRun): Promise<Record<string, unknown> | undefined>;
  /** Asks the replica that has a run to cancel it. */
  askToCancel(name: string): Promise<void>;
  isCancelled(name: string): Promise<boolean>;
  /** Forgets the request of a run that has ended, and counts the run as open no longer. */
  close(run: FoundRun): void;
  /** Deletes what is stored of a run, for good: a replica that has it loses it. Throws `unavailable` if that is not certain. */
  drop(name: string): Promise<void>;
  isDeleted(name: string): Promise<boolean>;
  /** Deletes its events. */
  dropEvents(name: string): Promise<void>;
}

interface RunsOptions {
  store: Store;
  /** Counts the bytes of requests that wait or run. */
  quota: ByteQuota;
  /** The most runs of an account that have not ended. */
  mostOpen: number;
  leaseMs: number;
  /** How long a run is kept while it has not ended. */
  openMs: number;
  /** How long its ending is kept. */
  keepMs: number;
  /** How long a key begins no other run. */
  keyMs: number;
}

export function createRuns(options: RunsOptions): Runs {
  const created = creation(options);
  return { ...created, ...sharing(options), ...endings(options), ...deletion(options, created.close) };
}

function creation(options: RunsOptions): Pick<Runs, 'close' | 'create'> {
  const { store, quota, mostOpen, leaseMs, openMs } = options;
  const leave = ({ accountId }: RunOwner, id: string): void => {
    void store.present(openKey(accountId), { member: id, ttlMs: 0 });
  };

  /** Throws if the account has too many runs. */
  async function enter(owner: RunOwner, id: string): Promise<void> {
    const count = await store.present(openKey(owner.accountId), { member: id, ttlMs: openMs });
    if (count === undefined) throw runsUnavailable();
    if (count <= mostOpen) return;
    leave(owner, id);
    throw tooManyRuns(mostOpen);
  }

  async function write(run: NewRun): Promise<FoundRun> {
    const { accountId } = run.owner;
    const name = runName(accountId, run.id);
    const body = encodeRunRequest(run.request);
    const share = await quota.take(accountId, body.length, openMs);
    if (share === undefined) throw accountIsFull();
    const request = await writePieces(store, { name: requestName(name), body, ttlMs: openMs });
    const record = request && newRecord(run, { request, quotaSlot: share.slot });
    if (record !== undefined && (await store.set(name, encodeRun(record), openMs)) === 'stored')
      return { name, record };
    share.giveBack();
    throw runsUnavailable();
  }

  /** A run without a key, or in no queue, is not begun by any replica. */
  async function offer(run: NewRun, { name }: FoundRun): Promise<void> {
    if (run.key !== undefined) await takeKey(options, run.key, run);
    if (await putInQueue(store, name, { dueInMs: leaseMs, keepMs: openMs })) return;
    throw store.state().connected ? queueIsFull() : runsUnavailable();
  }

  function close({ name, record }: FoundRun): void {
    const { accountId, id, request, quotaSlot: slot } = record;
    leave(record, id);
    dropPieces(store, requestName(name), request);
    quota.release(accountId, { bytes: request.length, keptMs: openMs, slot });
  }

  return {
    async create(run) {
      await enter(run.owner, run.id);
      try {
        const stored = await write(run);
        try {
          await offer(run, stored);
        } catch (thrown) {
          await store.delete(stored.name);
          close(stored);
          throw thrown;
        }
        return stored;
      } catch (thrown) {
        leave(run.owner, run.id);
        throw thrown;
      }
    },
    close,
  };
}

const openKey = (accountId: string): string => `background:${accountId}`;

const newRecord = (
  { id, owner, api, answerRules, createdAt }: NewRun,
  stored: Pick<RunRecord, 'quotaSlot' | 'request'>,
): RunRecord => ({
  holder: newHolder(),
  id,
  accountId: owner.accountId,
  project: owner.projectId ?? null,
  api,
  answerRules,
  createdAt,
  state: 'queued',
  begun: 0,
  called: false,
  shown: false,
  charged: false,
  isLogLost: false,
  ...stored,
});

type Sharing = Pick<
  Runs,
  'askToCancel' | 'claim' | 'find' | 'findByKey' | 'isCancelled' | 'readRequest' | 'refresh' | 'take'
>;

function sharing({ store, leaseMs, openMs }: RunsOptions): Sharing {
  async function refresh(name: string): Promise<RunRecord | 'none' | 'unknown'> {
    const found = await store.find(name);
    if (typeof found === 'string') return found;
    return decodeRun(found) ?? 'none';
  }
  async function find(owner: RunOwner, id: string): Promise<FoundRun | undefined> {
    const name = runName(owner.accountId, id);
    const record = await refresh(name);
    if (record === 'unknown') throw runsUnavailable();
    if (record === 'none' || record.project !== (owner.projectId ?? null)) return undefined;
    return { name, record };
  }
  const known = knownValues(store, runsUnavailable);
  return {
    refresh,
    find,
    async findByKey(owner, key) {
      const id = await known.get(keyName(key));
      const run = id && (await find(owner, Buffer.from(id).toString()));
      // Its replica may have died before the run was in the queue.
      if (run?.record.state === 'queued' && run.record.holder !== '')
        await putInQueue(store, run.name, { dueInMs: leaseMs, keepMs: openMs });
      return run;
    },
    async take(most) {
      const names = (await store.queue(queueName, { kind: 'take', most, holdMs: leaseMs })) ?? [];
      const found = await Promise.all(names.map(async (name) => ({ name, record: await refresh(name) })));
      return found.flatMap(({ name, record }) => {
        if (record === 'unknown') return [];
        if (record !== 'none' && record.state !== 'ended') return [{ name, record }];
        void store.queue(queueName, { kind: 'remove', member: name });
        return [];
      });
    },
    async claim({ name, record: { holder } }) {
      const found = await store.get(name);
      const record = found && decodeRun(found);
      if (found === undefined || record?.holder !== holder || record.state === 'ended') return undefined;
      const ours = { ...record, holder: newHolder() };
      // Its holder may still charge for it: what it has written since is not overwritten.
      const set = await store.setIfOurs(name, { mark: found, value: encodeRun(ours) }, openMs);
      return set === 'stored' ? { name, record: ours } : undefined;
    },
    async readRequest({ name, record }) {
      const bytes = await readPieces(known, requestName(name), record.request);
      return bytes && decodeRunRequest(bytes);
    },
    async askToCancel(name) {
      const set = await store.set(cancelName(name), Buffer.from('1'), openMs);
      if (set !== 'stored') throw runsUnavailable();
      await store.publish(cancelChannel, Buffer.from(name));
    },
    isCancelled: async (name) => (await store.get(cancelName(name))) !== undefined,
  };
}

const endings = ({ store, keepMs }: RunsOptions): Pick<Runs, 'readEnding' | 'writeEnding'> => ({
  writeEnding: (name, document) =>
    writePieces(store, { name: endingName(name), body: Buffer.from(JSON.stringify(document)), ttlMs: keepMs }),
  async readEnding({ name, record: { ending } }) {
    const bytes = ending && (await readPieces(knownValues(store, runsUnavailable), endingName(name), ending));
    return bytes && JSON.parse(bytes.toString());
  },
});

/** Of one deletion, while the replica that has the run changes its record. */
const mostTries = 20;

function deletion(
  { store, openMs }: RunsOptions,
  close: Runs['close'],
): Pick<Runs, 'drop' | 'dropEvents' | 'isDeleted'> {
  const known = knownValues(store, runsUnavailable);

  async function forget(run: FoundRun): Promise<void> {
    const { name, record } = run;
    if (record.state !== 'ended') {
      close(run);
      await store.queue(queueName, { kind: 'remove', member: name });
      await store.delete(cancelName(name));
    }
    if (record.ending !== undefined) dropPieces(store, endingName(name), record.ending);
    await dropLog(store, logName(name));
  }

  return {
    async drop(name) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const found = await known.get(name);
        const record = found && decodeRun(found);
        if (found === undefined || record === undefined) return;
        const set = await store.setIfOurs(name, { mark: found, value: deletedRun }, openMs);
        if (set === 'stored') return forget({ name, record });
        if (set !== 'taken') break;
      }
      throw runsUnavailable();
    },
    isDeleted: async (name) => deletedRun.equals((await store.get(name)) ?? Buffer.alloc(0)),
    dropEvents: (name) => dropLog(store, logName(name)),
  };
}
