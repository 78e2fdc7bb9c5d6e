import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';
import {
  currentCost,
  formatHash,
  hashBytes,
  type PasswordHash,
  readHash,
  sameCost,
  saltBytes,
  type ScryptCost,
  sharedSalt,
} from '@tallyport/management-server';

export interface Passwords {
  /** `beside` are the stored passwords of other users with the same e-mail address, which get the same salt. */
  hash(password: string, beside?: readonly string[]): Promise<string>;
  /**
   * Finds which of the stored passwords of one e-mail address this is. They have one salt, so the time does not depend
   * on how many there are: none takes as long as several.
   */
  find(password: string, stored: readonly string[]): Promise<FoundPassword | undefined>;
}

interface FoundPassword {
  index: number;
  /** Hash the password again: the parameters have grown, or the others of this e-mail address have another salt. */
  outdated: boolean;
}

/**
 * Hashing uses the thread pool that file and DNS operations need as well: two of Node's four threads are left to them.
 */
const atOnce = 2;
const maxWaiting = 32;
interface PasswordOptions {
  cost?: ScryptCost;
  /** Throws while passwords may neither be used nor chosen. */
  checkAllowed?: (() => void) | undefined;
}

/**
 * Hashes passwords with scrypt and stores the parameters with each hash. Throws `overloaded` beyond the queue's limit,
 * so that a flood cannot occupy all threads.
 */
export function createPasswords({ cost = currentCost, checkAllowed }: PasswordOptions = {}): Passwords {
  const inTurn = takingTurns(atOnce, maxWaiting);
  const dummy: PasswordHash = { cost, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) };
  const derive = (password: string, salt: Buffer, at: ScryptCost) => inTurn(() => runScrypt(password, salt, at));
  return {
    async hash(password, beside = []) {
      checkAllowed?.();
      const salt = sharedSalt(beside, cost) ?? randomBytes(saltBytes);
      return formatHash({ cost, salt, hash: await derive(password, salt, cost) });
    },
    async find(password, stored) {
      checkAllowed?.();
      const known = stored.map(parseHash);
      const derived = new Map<string, Buffer>();
      for (const each of known.length === 0 ? [dummy] : known) {
        const parameters = parametersOf(each);
        if (!derived.has(parameters)) derived.set(parameters, await derive(password, each.salt, each.cost));
      }
      const matches = known.map((each) => timingSafeEqual(derived.get(parametersOf(each)) ?? dummy.hash, each.hash));
      const index = matches.indexOf(true);
      const found = known[index];
      const salt = sharedSalt(stored, cost);
      return found && { index, outdated: !sameCost(found.cost, cost) || salt?.equals(found.salt) !== true };
    },
  };
}

const parametersOf = ({ cost: { log2N, r, p }, salt }: PasswordHash): string =>
  [log2N, r, p, salt.toString('base64url')].join(' ');

function parseHash(text: string): PasswordHash {
  const known = readHash(text);
  if (known === undefined) throw new TypeError('A stored password hash cannot be read.');
  return known;
}

function runScrypt(password: string, salt: Buffer, { log2N, r, p }: ScryptCost): Promise<Buffer> {
  const N = 2 ** log2N;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    // The same password may be typed with other code points on another system.
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}

/** Runs up to `most` functions at once and queues up to `waitingMost` more; beyond that it throws `overloaded`. */
function takingTurns(most: number, waitingMost: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < most) running++;
    else if (waiting.length >= waitingMost) throw tooBusy();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The next one takes over this slot, so the count stays the same.
      if (next) next();
      else running--;
    }
  };
}

const tooBusy = (): GatewayError =>
  new GatewayError('overloaded', 'Too many users are signing in right now. Try again in a moment.', {
    retryAfterMs: 1_000,
  });
