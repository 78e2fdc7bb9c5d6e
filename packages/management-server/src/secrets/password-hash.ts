import { randomBytes } from 'node:crypto';

export interface ScryptCost {
  /** The exponent of N. */
  log2N: number;
  r: number;
  p: number;
}

/** Needs 32 MB and about a fifth of a second: of OWASP's equivalent choices, the one with the least memory. */
export const currentCost: ScryptCost = { log2N: 15, r: 8, p: 3 };
export const saltBytes = 16;
export const hashBytes = 32;

export interface PasswordHash {
  cost: ScryptCost;
  salt: Buffer;
  hash: Buffer;
}

/** The hash of a password that does not exist, for users who sign in with an identity provider. */
export const unusablePassword = (beside: readonly string[] = []): string =>
  formatHash({
    cost: currentCost,
    salt: sharedSalt(beside, currentCost) ?? randomBytes(saltBytes),
    hash: randomBytes(hashBytes),
  });

/** The salt of the oldest user of an e-mail address, unless their parameters are those of an older version. */
export const sharedSalt = (stored: readonly string[], cost: ScryptCost): Buffer | undefined =>
  stored.map(readHash).find((each) => each !== undefined && sameCost(each.cost, cost))?.salt;

export const formatHash = ({ cost, salt, hash }: PasswordHash): string =>
  `$scrypt$ln=${cost.log2N},r=${cost.r},p=${cost.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;

/** The parameters are bounded, so that no row of the database can take all memory. */
const storedForm = /^\$scrypt\$ln=(\d|1\d|20),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/;

export function readHash(text: string): PasswordHash | undefined {
  const [, log2N, r, p, salt = '', hash = ''] = storedForm.exec(text) ?? [];
  if (log2N === undefined) return undefined;
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

export const sameCost = (one: ScryptCost, other: ScryptCost): boolean =>
  one.log2N === other.log2N && one.r === other.r && one.p === other.p;
