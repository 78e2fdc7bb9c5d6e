import { randomBytes } from 'node:crypto';
import { type ByteQuota, dropPieces, pieceBytes, readPieces, type Store, writePieces } from '@tallyport/store';
import { decodeEntry, encodeEntry, type Entry, leaseMark, type StoredEntry } from './entry.ts';

/** What the store has for a key. */
export type Claim =
  | { kind: 'found'; entry: Entry }
  /** No answer: this replica makes it, and the others wait. */
  | { kind: 'ours'; lease: AnswerLease }
  /** Another replica is making it. */
  | { kind: 'theirs' }
  /** No answer, and the lease could not be taken. */
  | { kind: 'gone' }
  | { kind: 'away' };

/** Marks that this replica is making an answer. Renewed until it ends. */
interface AnswerLease {
  /** Ends the renewal; the answer replaces the lease. */
  end(): void;
  /** There will be no answer: another replica may make it. */
  giveBack(): void;
}

interface KeptAnswer {
  /** The account whose quota it counts towards. */
  holder: string;
  entry: Entry;
  ttlMs: number;
  /** The lease that the entry replaces. */
  lease: AnswerLease | undefined;
}

export interface StoredAnswers {
  /** An entry larger than `maxBytes` counts as broken. */
  claim(key: string, maxBytes: number): Promise<Claim>;
  keep(key: string, answer: KeptAnswer): Promise<void>;
}

interface StoredAnswersOptions {
  store: Pick<Store, 'get' | 'set' | 'setIfAbsent' | 'delete' | 'deleteIfEqual'>;
  /** Limits how much an account may store. */
  quota: ByteQuota;
  /** Called when an entry could not be read and was dropped. */
  onBroken(): void;
}

/** Limits how long a crashed replica delays the others. */
const leaseMs = 6_000;
/** Roughly what the store needs in addition to the body. */
const entryOverhead = 512;
const renewEveryMs = 2_000;

/** A key holds first a lease and then the answer, so a hit and a miss each cost one round trip. */
export function createStoredAnswers({ store, quota, onBroken }: StoredAnswersOptions): StoredAnswers {
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
      // Twice, because the first entry may be broken and dropped.
      for (let tries = 0; tries < 2; tries += 1) {
        const result = await store.setIfAbsent(name, mark, leaseMs);
        if (typeof result === 'string') return result === 'stored' ? { kind: 'ours', lease: hold(name, mark) } : away;
        const claim = await found(name, result.present, maxBytes);
        if (claim !== undefined) return claim;
      }
      return { kind: 'gone' };
    },
    async keep(key, answer) {
      const { entry, holder, lease, ttlMs } = answer;
      const share = await quota.take(holder, entry.body.length + entryOverhead, ttlMs);
      const bytes = share && (await encoded(nameOf(key), answer));
      if (bytes === undefined) {
        share?.giveBack();
        return lease?.giveBack();
      }
      lease?.end();
      await store.set(nameOf(key), bytes, ttlMs);
    },
  };
}

const away: Claim = { kind: 'away' };

const nameOf = (key: string): string => `answer:${key}`;
