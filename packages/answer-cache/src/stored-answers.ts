import { randomBytes } from 'node:crypto';
import type { Store } from '@switchyard/store';
import { decodeEntry, encodeEntry, type Entry, leaseMark, type StoredEntry } from './entry.ts';
import { dropPieces, pieceBytes, readPieces, writePieces } from './pieces.ts';

/** What the store says when somebody asks for an answer and would make it. */
export type Claim =
  | { kind: 'found'; entry: Entry }
  /** Nobody has it: ours to make, and all others wait. */
  | { kind: 'ours'; lease: AnswerLease }
  /** Another replica is making it. */
  | { kind: 'theirs' }
  /** There is none, and nobody can be told that we make it. */
  | { kind: 'gone' }
  | { kind: 'away' };

/** Our word that an answer is being made; kept until it is there or given back. */
export interface AnswerLease {
  /** The answer takes its place. */
  end(): void;
  /** There will be none: the next one may. */
  giveBack(): void;
}

export interface Keeping {
  entry: Entry;
  ttlMs: number;
  /** The entry takes its place. */
  lease: AnswerLease | undefined;
}

export interface StoredAnswers {
  /** What is larger than `maxBytes` is as good as broken. */
  claim(key: string, maxBytes: number): Promise<Claim>;
  keep(key: string, keeping: Keeping): Promise<void>;
}

export interface StoredAnswersOptions {
  store: Pick<Store, 'get' | 'set' | 'setIfAbsent' | 'delete' | 'deleteIfEqual'>;
  /** An entry that could not be read was dropped. */
  onBroken(): void;
}

/** A replica that died holds up the others no longer than this. */
const leaseMs = 6_000;
const renewEveryMs = 2_000;

/** Answers of one key take one place in the store: first a lease, then the answer. So a hit and a miss cost one round trip each. */
export function createStoredAnswers({ store, onBroken }: StoredAnswersOptions): StoredAnswers {
  const hold = (name: string, mark: Buffer): AnswerLease => {
    const renewing = setInterval(() => void store.set(name, mark, leaseMs), renewEveryMs).unref();
    const end = (): void => clearInterval(renewing);
    return {
      end,
      giveBack() {
        end();
        void store.deleteIfEqual(name, mark);
      },
    };
  };

  const whole = async (name: string, stored: StoredEntry): Promise<Entry | undefined> => {
    const { pieces, ...entry } = stored;
    const body = pieces === undefined ? entry.body : await readPieces(store, name, pieces);
    return body && { ...entry, body };
  };

  const found = async (name: string, bytes: Uint8Array, maxBytes: number): Promise<Claim | undefined> => {
    if (bytes[0] === leaseMark) return { kind: 'theirs' };
    const stored = decodeEntry(bytes, maxBytes);
    const entry = stored && (await whole(name, stored));
    if (entry !== undefined) return { kind: 'found', entry };
    onBroken();
    await store.deleteIfEqual(name, bytes);
    if (stored?.pieces) dropPieces(store, name, stored.pieces);
    return undefined;
  };

  const encoded = async (name: string, { entry, ttlMs }: Keeping): Promise<Buffer | undefined> => {
    const { body } = entry;
    if (body.length <= pieceBytes) return encodeEntry(entry);
    const pieces = await writePieces(store, { name, body, ttlMs });
    return pieces && encodeEntry({ ...entry, pieces, body: Buffer.alloc(0) });
  };

  return {
    async claim(key, maxBytes) {
      const name = nameOf(key);
      const mark = Buffer.concat([Buffer.from([leaseMark]), randomBytes(16)]);
      // Twice, because what is there may be broken.
      for (let tries = 0; tries < 2; tries += 1) {
        const result = await store.setIfAbsent(name, mark, leaseMs);
        if (typeof result === 'string') return result === 'stored' ? { kind: 'ours', lease: hold(name, mark) } : away;
        const claim = await found(name, result.present, maxBytes);
        if (claim !== undefined) return claim;
      }
      return { kind: 'gone' };
    },
    async keep(key, keeping) {
      const { lease, ttlMs } = keeping;
      const bytes = await encoded(nameOf(key), keeping);
      if (bytes === undefined) return lease?.giveBack();
      lease?.end();
      await store.set(nameOf(key), bytes, ttlMs);
    },
  };
}

const away: Claim = { kind: 'away' };

const nameOf = (key: string): string => `answer:${key}`;
