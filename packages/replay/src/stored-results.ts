import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ResponseHead } from '@switchyard/contracts';
import type { Store } from '@switchyard/store';
import { decodeRecord, encodeRecord, type OnceRecord } from './record.ts';

export type OnceClaim =
  /** Nobody has asked this before. */
  { kind: 'ours'; result: ResultWriter } | { kind: 'known'; record: OnceRecord } | { kind: 'away' };

/** Where a run tells the other replicas of itself, and leaves its answer. */
export interface ResultWriter {
  /** What has come since the last time. `false`: it is not certain that it can be read. */
  write(bytes: Buffer): Promise<boolean>;
  /** There is an answer, and this is how it begins. */
  begin(head: ResponseHead): void;
  /** All has been written. */
  finish(): Promise<void>;
  /** Written in part or not at all, and never to be given. */
  unkept(): Promise<void>;
  /** As if it had never been asked. */
  release(): Promise<void>;
}

export interface StoredResults {
  claim(name: string, fingerprint: string): Promise<OnceClaim>;
  find(name: string): Promise<OnceRecord | undefined>;
  piece(name: string, run: string, index: number): Promise<Buffer | undefined>;
  /** Everything, or `undefined` when something of it is missing or changed. */
  whole(name: string, record: OnceRecord): Promise<Buffer[] | undefined>;
  /** What is known of this run, unless another one has taken its place. */
  forget(name: string, run: string): Promise<void>;
}

type KeyedStore = Pick<Store, 'get' | 'set' | 'setIfAbsent' | 'delete' | 'deleteIfEqual'>;

/** A replica that died is waited for no longer than this. */
const leaseMs = 9_000;
const renewEveryMs = 3_000;
/** Below the store's own limit for a value. */
export const storedPieceBytes = 512 * 1024;

export function storedResults(store: KeyedStore, ttlMs: number): StoredResults {
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
    async claim(name, fingerprint) {
      const record: OnceRecord = { fingerprint, run: randomUUID(), state: 'running', pieces: 0 };
      // Twice, because what is there may be nothing of ours.
      for (let tries = 0; tries < 2; tries += 1) {
        const result = await store.setIfAbsent(name, encodeRecord(record), leaseMs);
        if (result === 'stored') return { kind: 'ours', result: resultWriter(store, { name, record, ttlMs }) };
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
    forget: (name, run) => forget(store, name, run),
  };
}

async function forget(store: KeyedStore, name: string, run: string): Promise<void> {
  const bytes = await store.get(name);
  if (bytes !== undefined && decodeRecord(bytes)?.run === run) await store.deleteIfEqual(name, bytes);
}

const pieceName = (name: string, run: string, index: number): string => `${name}:${run}:${index}`;

interface WriterOptions {
  name: string;
  record: OnceRecord;
  ttlMs: number;
}

function resultWriter(store: KeyedStore, { name, record: first, ttlMs }: WriterOptions): ResultWriter {
  let record = first;
  let checksum = 0;
  const say = async (changes: Partial<OnceRecord>, forMs = leaseMs): Promise<boolean> => {
    record = { ...record, ...changes };
    return (await store.set(name, encodeRecord(record), forMs)) === 'stored';
  };
  const beat = setInterval(() => void say({}), renewEveryMs).unref();
  const forgetPieces = async (): Promise<void> => {
    for (let index = 0; index < record.pieces; index += 1) await store.delete(pieceName(name, record.run, index));
  };
  return {
    begin: (head) => void say({ head }),
    async write(bytes) {
      for (let from = 0; from < bytes.length; from += storedPieceBytes) {
        const part = bytes.subarray(from, from + storedPieceBytes);
        const stored = await store.set(pieceName(name, record.run, record.pieces), part, ttlMs);
        if (stored !== 'stored') return false;
        checksum = crc32(part, checksum);
        record = { ...record, pieces: record.pieces + 1 };
      }
      return say({});
    },
    async finish() {
      clearInterval(beat);
      await say({ state: 'done', checksum }, ttlMs);
    },
    async unkept() {
      clearInterval(beat);
      await forgetPieces();
      // A full store takes no word, but still forgets one.
      if (!(await say({ state: 'unkept', pieces: 0 }, ttlMs))) await forget(store, name, record.run);
    },
    async release() {
      clearInterval(beat);
      await forget(store, name, record.run);
      await forgetPieces();
    },
  };
}
