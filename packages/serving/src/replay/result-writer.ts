import { crc32 } from 'node:zlib';
import type { ResponseHead } from '@tallyport/contracts';
import type { ByteQuota, QuotaShare, Store } from '@tallyport/store';
import { decodeRecord, encodeRecord, type OnceRecord, recordMark } from './record.ts';

/**
 * Publishes the state of a run to the other replicas and stores its answer. If this replica was suspended for longer
 * than its lease, another one may have taken it over; nothing is written then.
 */
export interface ResultWriter {
  /** Whether the run still owns the key, as far as can be known. */
  holdsLease(): Promise<boolean>;
  /** Appends bytes of the answer. */
  write(bytes: Buffer): Promise<WriteOutcome>;
  /** Publishes the head of the answer. */
  begin(answer: BegunAnswer): void;
  /** Marks the answer as complete. */
  finish(): Promise<void>;
  /** Marks the answer as not kept and removes what was written of it. */
  unkept(): Promise<void>;
  /** Removes all traces, so that the key can be used again. */
  release(): Promise<void>;
}

/** `over_quota`: the account may not keep more. `unsure`: it is not certain that the bytes can be read. */
export type WriteOutcome = 'stored' | 'over_quota' | 'unsure';

export type BegunAnswer = Pick<OnceRecord, 'opaque'> & { head: ResponseHead };

export type LeasedStore = Pick<Store, 'get' | 'set' | 'setIfOurs' | 'delete' | 'deleteIfEqual'>;

/** Limits how long a crashed replica is waited for. */
export const leaseMs = 9_000;
const renewEveryMs = 3_000;
/** Below the store's size limit of a value. */
export const storedPieceBytes = 512 * 1024;

interface WriterOptions {
  name: string;
  record: OnceRecord;
  ttlMs: number;
  quota: ByteQuota;
  /** The account whose quota the answer counts towards; absent for one that is forgotten within moments. */
  holder: string | undefined;
}

export function resultWriter(store: LeasedStore, options: WriterOptions): ResultWriter {
  const { name, record: first, ttlMs, quota, holder } = options;
  const mark = recordMark(first);
  let record = first;
  let checksum = 0;
  const shares: QuotaShare[] = [];
  let lease: 'held' | 'taken' = 'held';
  let heldUntil = performance.now() + leaseMs;
  const update = async (changes: Partial<OnceRecord>, forMs = leaseMs): Promise<boolean> => {
    record = { ...record, ...changes };
    if (lease === 'taken') return false;
    const from = performance.now();
    const result = await store.setIfOurs(name, { mark, value: encodeRecord(record) }, forMs);
    if (result === 'taken') lease = 'taken';
    if (result === 'stored') heldUntil = from + forMs;
    return result === 'stored';
  };
  const renewal = setInterval(() => void update({}), renewEveryMs).unref();
  const forgetPieces = async (): Promise<void> => {
    for (const share of shares.splice(0)) share.giveBack();
    for (let index = 0; index < record.pieces; index += 1) await store.delete(pieceName(name, record.run, index));
  };
  return {
    begin: ({ head, opaque }) => void update({ head, opaque }),
    async holdsLease() {
      if (lease === 'held' && performance.now() >= heldUntil) await update({});
      return lease === 'held';
    },
    async write(bytes) {
      for (let from = 0; from < bytes.length; from += storedPieceBytes) {
        const part = bytes.subarray(from, from + storedPieceBytes);
        const share = holder === undefined ? uncounted : await quota.take(holder, part.length, ttlMs);
        if (share === undefined) return 'over_quota';
        shares.push(share);
        const stored = await store.set(pieceName(name, record.run, record.pieces), part, ttlMs);
        if (stored !== 'stored') return 'unsure';
        checksum = crc32(part, checksum);
        record = { ...record, pieces: record.pieces + 1 };
      }
      return (await update({})) ? 'stored' : 'unsure';
    },
    async finish() {
      clearInterval(renewal);
      if (!(await update({ state: 'done', checksum }, ttlMs)) && lease === 'taken') await forgetPieces();
    },
    async unkept() {
      clearInterval(renewal);
      await forgetPieces();
      // A full store accepts no update, but can still delete the record.
      if (!(await update({ state: 'unkept', pieces: 0 }, ttlMs))) await forgetRun(store, name, record.run);
    },
    async release() {
      clearInterval(renewal);
      await forgetRun(store, name, record.run);
      await forgetPieces();
    },
  };
}

const uncounted: QuotaShare = { slot: 0, giveBack() {} };

/** Deletes the record of this run, unless another run has replaced it. */
export async function forgetRun(store: LeasedStore, name: string, run: string): Promise<void> {
  const bytes = await store.get(name);
  if (bytes !== undefined && decodeRecord(bytes)?.run === run) await store.deleteIfEqual(name, bytes);
}

export const pieceName = (name: string, run: string, index: number): string => `${name}:${run}:${index}`;
