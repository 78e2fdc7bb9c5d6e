import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';

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

interface ScryptCost {
  /** The exponent of N. */
  log2N: number;
  r: number;
  p: number;
}

/** Needs 32 MB and about a fifth of a second: of OWASP's equivalent choices, the one with the least memory. */
const currentCost: ScryptCost = { log2N: 15, r: 8, p: 3 };
/**
 * Hashing uses the thread pool that file and DNS operations need as well: two of Node's four threads are left to them.
 */
const atOnce = 2;
const maxWaiting = 32;
const saltBytes = 16;
const hashBytes = 32;

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
  const dummy: ParsedHash = { cost, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) };
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

/** The hash of a password that does not exist, for users who sign in with an identity provider. */
export const unusablePassword = (beside: readonly string[] = []): string =>
  formatHash({
    cost: currentCost,
    salt: sharedSalt(beside, currentCost) ?? randomBytes(saltBytes),
    hash: randomBytes(hashBytes),
  });

interface ParsedHash {
  cost: ScryptCost;
  salt: Buffer;
  hash: Buffer;
}

/** The salt of the oldest user of an e-mail address, unless their parameters are those of an older version. */
const sharedSalt = (stored: readonly string[], cost: ScryptCost): Buffer | undefined =>
  stored.map(readHash).find((each) => each !== undefined && sameCost(each.cost, cost))?.salt;

const parametersOf = ({ cost: { log2N, r, p }, salt }: ParsedHash): string =>
  [log2N, r, p, salt.toString('base64url')].join(' ');

const formatHash = ({ cost, salt, hash }: ParsedHash): string =>
  `$scrypt$ln=${cost.log2N},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;

/** The parameters are bounded, so that no row of the database can take all memory. */
const storedForm = /^\$scrypt\$ln=(\d|1\d|20),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/;

function parseHash(text: string): ParsedHash {
  const known = readHash(text);
  if (known === undefined) throw new TypeError('A stored password hash cannot be read.');
  return known;
}

function readHash(text: string): ParsedHash | undefined {
  const [, log2N, r, p, salt = '', hash = ''] = storedForm.exec(text) ?? [];
  if (log2N === undefined) return undefined;
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

const sameCost = (one: ScryptCost, other: ScryptCost): boolean =>
  one.log2N === other.log2N && one.r === other.r && one.p === other.p;

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
