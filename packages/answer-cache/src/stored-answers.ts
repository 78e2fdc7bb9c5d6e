import { randomBytes } from 'node:crypto';
import type { Store } from '@switchyard/store';
import { decodeEntry, encodeEntry, type Entry, leaseMark, type StoredEntry } from './entry.ts';
import { dropPieces, pieceBytes, readPieces, writePieces } from './pieces.ts';

/** What the store has for a key. */
export type Claim =
  | { kind: 'found'; entry: Entry }
  /** Nothing: this replica makes the answer, and the others wait. */
  | { kind: 'ours'; lease: AnswerLease }
  /** Another replica is making it. */
  | { kind: 'theirs' }
  /** Nothing, and no lease could be taken. */
  | { kind: 'gone' }
  | { kind: 'away' };

/** Says that this replica is making an answer; renewed until it ends. */
export interface AnswerLease {
  /** The answer replaces it. */
  end(): void;
  /** There will be no answer: another request may make it. */
  giveBack(): void;
}

export interface KeptAnswer {
  entry: Entry;
  ttlMs: number;
  /** Replaced by the entry. */
  lease: AnswerLease | undefined;
}

export interface StoredAnswers {
  /** An entry larger than `maxBytes` counts as broken. */
  claim(key: string, maxBytes: number): Promise<Claim>;
  keep(key: string, answer: KeptAnswer): Promise<void>;
}

export interface StoredAnswersOptions {
  store: Pick<Store, 'get' | 'set' | 'setIfAbsent' | 'delete' | 'deleteIfEqual'>;
  /** An entry that could not be read was dropped. */
  onBroken(): void;
}

/** A replica that died delays the others no longer than this. */
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

  const encoded = async (name: string, { entry, ttlMs }: KeptAnswer): Promise<Buffer | undefined> => {
    const { body } = entry;
    if (body.length <= pieceBytes) return encodeEntry(entry);
    const pieces = await writePieces(store, { name, body, ttlMs });
    return pieces && encodeEntry({ ...entry, pieces, body: Buffer.alloc(0) });
  };

  return {
    async claim(key, maxBytes) {
      const name = nameOf(key);
      const mark = Buffer.concat([Buffer.from([leaseMark]), randomBytes(16)]);
      // Twice, because the first entry found may be broken and dropped.
      for (let tries = 0; tries < 2; tries += 1) {
        const result = await store.setIfAbsent(name, mark, leaseMs);
        if (typeof result === 'string') return result === 'stored' ? { kind: 'ours', lease: hold(name, mark) } : away;
        const claim = await found(name, result.present, maxBytes);
        if (claim !== undefined) return claim;
      }
      return { kind: 'gone' };
    },
    async keep(key, answer) {
      const { lease, ttlMs } = answer;
      const bytes = await encoded(nameOf(key), answer);
      if (bytes === undefined) return lease?.giveBack();
      lease?.end();
      await store.set(nameOf(key), bytes, ttlMs);
    },
  };
}

const away: Claim = { kind: 'away' };

const nameOf = (key: string): string => `answer:${key}`;
