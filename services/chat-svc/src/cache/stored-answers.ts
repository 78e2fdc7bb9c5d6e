import { randomBytes } from 'node:crypto';
import type { Store } from '@switchyard/store';
import { decodeEntry, encodeEntry, type Entry, leaseMark } from './entry.ts';

/** What the store says when somebody asks for an answer and would make it. */
export type Claim =
  | { kind: 'found'; entry: Entry }
  /** Nobody has it: ours to make, and all others wait. */
  | { kind: 'ours'; lease: Lease }
  /** Another replica is making it. */
  | { kind: 'theirs' }
  /** There is none, and nobody can be told that we make it. */
  | { kind: 'gone' }
  | { kind: 'away' };

/** Our word that an answer is being made; kept until it is there or given back. */
export interface Lease {
  /** The answer takes its place. */
  end(): void;
  /** There will be none: the next one may. */
  giveBack(): void;
}

export interface StoredAnswers {
  claim(key: string): Promise<Claim>;
  /** In the place of the lease, if there was one. */
  keep(key: string, entry: Entry, ttlMs: number): void;
}

export interface StoredAnswersOptions {
  store: Pick<Store, 'set' | 'setIfAbsent' | 'deleteIfEqual'>;
  maxBytes: number;
  /** An entry that could not be read was dropped. */
  onBroken(): void;
}

/** A replica that died holds up the others no longer than this. */
const leaseMs = 6_000;
const renewEveryMs = 2_000;

/** Answers of one key take one place in the store: first a lease, then the answer. So a hit and a miss cost one round trip each. */
export function createStoredAnswers({ store, maxBytes, onBroken }: StoredAnswersOptions): StoredAnswers {
  const nameOf = (key: string) => `answer:${key}`;

  const hold = (key: string, mark: Buffer): Lease => {
    const renewing = setInterval(() => void store.set(nameOf(key), mark, leaseMs), renewEveryMs).unref();
    const end = (): void => clearInterval(renewing);
    return {
      end,
      giveBack() {
        end();
        void store.deleteIfEqual(nameOf(key), mark);
      },
    };
  };

  const found = async (key: string, bytes: Uint8Array): Promise<Claim> => {
    if (bytes[0] === leaseMark) return { kind: 'theirs' };
    const entry = decodeEntry(bytes, maxBytes);
    if (entry !== undefined) return { kind: 'found', entry };
    onBroken();
    await store.deleteIfEqual(nameOf(key), bytes);
    return { kind: 'gone' };
  };

  return {
    async claim(key) {
      const mark = Buffer.concat([Buffer.from([leaseMark]), randomBytes(16)]);
      const result = await store.setIfAbsent(nameOf(key), mark, leaseMs);
      if (typeof result === 'object') return found(key, result.present);
      return result === 'stored' ? { kind: 'ours', lease: hold(key, mark) } : { kind: 'away' };
    },
    keep: (key, entry, ttlMs) => void store.set(nameOf(key), encodeEntry(entry), ttlMs),
  };
}
