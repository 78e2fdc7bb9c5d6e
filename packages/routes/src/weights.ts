import { hash } from 'node:crypto';

/** 64 random bits of a text, as two integers. */
interface Bits {
  readonly high: number;
  readonly low: number;
}

export function bitsOf(text: string): Bits {
  const digest = hash('sha256', text, 'buffer');
  return { high: digest.readUInt32LE(0), low: digest.readUInt32LE(4) };
}

export interface Weighted {
  readonly weight: number;
  /** Of its name. */
  readonly bits: Bits;
}

/**
 * All targets in the order of a fair choice: each place is given by the weights of those that are left, and those of weight
 * 0 are last. Weighted rendezvous hashing: a key keeps its order, and a weight that changes moves only keys that come to
 * or leave that target.
 */
export function orderByWeight<Target extends Weighted>(targets: readonly Target[], key: Bits): Target[] {
  return targets
    .map((target) => ({ target, arrival: arrivalOf(target, key) }))
    .sort((left, right) => compare(left.arrival, right.arrival))
    .map(({ target }) => target);
}

/** The targets race: the time until one arrives is exponential with its weight as the rate. */
const arrivalOf = ({ weight, bits }: Weighted, key: Bits): number =>
  weight === 0 ? Number.POSITIVE_INFINITY : -Math.log(unitOf(bits, key)) / weight;

/** Infinity minus infinity is no number, and the order of such targets is that of the route. */
const compare = (left: number, right: number): number => (left === right ? 0 : left - right);

/** Above 0 and below 1. */
const unitOf = (target: Bits, key: Bits): number =>
  (mixed(mixed(target.high ^ key.high) ^ target.low ^ key.low) + 0.5) / 2 ** 32;

/** Of MurmurHash3: every bit of the input changes half of the bits of the result. */
function mixed(bits: number): number {
  let mix = bits;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
