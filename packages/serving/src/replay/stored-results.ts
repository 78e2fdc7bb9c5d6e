import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ByteQuota, Store } from '@tallyport/store';
import { decodeRecord, encodeRecord, type OnceRecord } from './record.ts';
import { forgetRun, type LeasedStore, leaseMs, pieceName, type ResultWriter, resultWriter } from './result-writer.ts';

export type OnceClaim =
  /** The first request with this key. */
  { kind: 'ours'; result: ResultWriter } | { kind: 'known'; record: OnceRecord } | { kind: 'away' };

/** What is stored about a request from the start. */
type FirstRequest = Required<Pick<OnceRecord, 'fingerprint' | 'keyId' | 'answerRules' | 'project'>>;

export interface StoredResults {
  /** Claims a key. The answer counts towards the quota of `holder`, or is not counted. */
  claim(name: string, request: FirstRequest, holder: string | undefined): Promise<OnceClaim>;
  find(name: string): Promise<OnceRecord | undefined>;
  piece(name: string, run: string, index: number): Promise<Buffer | undefined>;
  /** Returns all pieces, or `undefined` if one is missing or was modified. */
  whole(name: string, record: OnceRecord): Promise<Buffer[] | undefined>;
  /** Deletes the record of this run, unless another run has replaced it. */
  forget(name: string, run: string): Promise<void>;
  /** Deletes an answer with its pieces. One that is still made is left to its run. */
  drop(name: string): Promise<void>;
}

type KeyedStore = LeasedStore & Pick<Store, 'setIfAbsent'>;

interface StoredResultsOptions {
  store: KeyedStore;
  /** Limits how much an account may store. */
  quota: ByteQuota;
  ttlMs: number;
}

export function storedResults({ store, quota, ttlMs }: StoredResultsOptions): StoredResults {
  const piece = async (name: string, run: string, index: number): Promise<Buffer | undefined> => {
    const bytes = await store.get(pieceName(name, run, index));
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  const find = async (name: string): Promise<OnceRecord | undefined> => {
    const bytes = await store.get(name);
    return bytes && decodeRecord(bytes);
  };
  return {
    piece,
    find,
    async claim(name, request, holder) {
      const record: OnceRecord = { ...request, run: randomUUID(), state: 'running', pieces: 0 };
      // Twice, because the first value found may be unreadable and dropped.
      for (let tries = 0; tries < 2; tries += 1) {
        const result = await store.setIfAbsent(name, encodeRecord(record), leaseMs);
        if (result === 'stored')
          return { kind: 'ours', result: resultWriter(store, { name, record, ttlMs, quota, holder }) };
        if (typeof result === 'string') break;
        const known = decodeRecord(result.present);
        if (known !== undefined) return { kind: 'known', record: known };
        await store.deleteIfEqual(name, result.present);
      }
      return { kind: 'away' };
    },
    async whole(name, { run, pieces: count, checksum }) {
      const pieces: Buffer[] = [];
      let sum = 0;
      for (let index = 0; index < count; index += 1) {
        const bytes = await piece(name, run, index);
        if (bytes === undefined) return undefined;
        sum = crc32(bytes, sum);
        pieces.push(bytes);
      }
      return sum === checksum ? pieces : undefined;
    },
    forget: (name, run) => forgetRun(store, name, run),
    async drop(name) {
      const record = await find(name);
      if (record === undefined || record.state === 'running') return;
      for (let index = 0; index < record.pieces; index += 1) await store.delete(pieceName(name, record.run, index));
      await forgetRun(store, name, record.run);
    },
  };
}
