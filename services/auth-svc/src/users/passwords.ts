import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@switchyard/contracts';

export const shortestPassword = 12;
export const longestPassword = 256;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long for nobody (`undefined`) as for somebody. `outdated`: hash it again, parameters have grown. */
  verify(password: string, stored: string | undefined): Promise<{ matches: boolean; outdated: boolean }>;
}

export interface ScryptCost {
  /** Of N, in powers of two. */
  log2N: number;
  r: number;
  p: number;
}

/** 32 MB and about a fifth of a second: one of OWASP's equal choices, the one that spares memory. */
const currentCost: ScryptCost = { log2N: 15, r: 8, p: 3 };
/** Hashing takes threads that files and names are also waited for on: two of Node's four are left to them. */
const atOnce = 2;
const mostWaiting = 32;
const saltBytes = 16;
const hashBytes = 32;

/** scrypt, with its parameters stored beside each hash. Beyond what may wait, `overloaded`: a flood cannot take all threads. */
export function createPasswords({ cost = currentCost }: { cost?: ScryptCost } = {}): Passwords {
  const inTurn = takingTurns(atOnce, mostWaiting);
  const nobody = formatHash({ cost, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) });
  const derive = (password: string, salt: Buffer, at: ScryptCost) => inTurn(() => runScrypt(password, salt, at));
  return {
    async hash(password) {
      const salt = randomBytes(saltBytes);
      return formatHash({ cost, salt, hash: await derive(password, salt, cost) });
    },
    async verify(password, stored) {
      const known = parseHash(stored ?? nobody);
      const found = await derive(password, known.salt, known.cost);
      const matches = timingSafeEqual(found, known.hash) && stored !== undefined;
      return { matches, outdated: matches && !sameCost(known.cost, cost) };
    },
  };
}

interface ParsedHash {
  cost: ScryptCost;
  salt: Buffer;
  hash: Buffer;
}

const formatHash = ({ cost, salt, hash }: ParsedHash): string =>
  `$scrypt$ln=${cost.log2N},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;

/** Bounded, so that no row of the database can take all memory. */
const stored = /^\$scrypt\$ln=(\d|1\d|20),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/;

function parseHash(text: string): ParsedHash {
  const [, log2N, r, p, salt = '', hash = ''] = stored.exec(text) ?? [];
  if (log2N === undefined) throw new TypeError('A stored password hash cannot be read.');
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

const sameCost = (one: ScryptCost, other: ScryptCost): boolean =>
  one.log2N === other.log2N && one.r === other.r && one.p === other.p;

function runScrypt(password: string, salt: Buffer, { log2N, r, p }: ScryptCost): Promise<Buffer> {
  const N = 2 ** log2N;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    // The same password typed on another system may be composed of other code points.
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}

/** Runs so many at once; others wait, and beyond those nobody does. */
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
      // Whoever is next takes our place, so the number stays.
      if (next) next();
      else running--;
    }
  };
}

const tooBusy = (): GatewayError =>
  new GatewayError('overloaded', 'Too many people are signing in right now. Try again in a moment.', {
    retryAfterMs: 1_000,
  });
