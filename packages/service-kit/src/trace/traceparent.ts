import { randomBytes, randomFillSync } from 'node:crypto';

/** Where a request stands in a distributed trace, as W3C Trace Context (version 00) has it. */
export interface Trace {
  /** 32 hexadecimal digits, the same for the whole trace. */
  readonly traceId: string;
  /** 16 hexadecimal digits, one per span. */
  readonly spanId: string;
  readonly sampled: boolean;
}

/** Hexadecimal text of so many random bytes. */
export type RandomHex = (bytes: number) => string;

const randomHex: RandomHex = (bytes) => randomBytes(bytes).toString('hex');

/** For hot paths: asks the system for many at a time, a tenth of the price. */
export function pooledRandomHex(poolBytes: number = 4096): RandomHex {
  const pool = Buffer.alloc(poolBytes);
  let used = poolBytes;
  return (bytes) => {
    if (bytes > poolBytes) return randomHex(bytes);
    if (used + bytes > poolBytes) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return pool.toString('hex', used - bytes, used);
  };
}

/**
 * Version, trace, span, flags. Version ff and ids of zeros mean nothing; version 00 ends after the flags, later ones may
 * go on.
 */
const shape = /^(?!ff)(?!00.{53}-)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const longest = 512;

/** Reads a header. `undefined` means it breaks the specification and a new trace starts. */
export function parseTraceparent(header: string | undefined): Trace | undefined {
  if (header === undefined || header.length > longest) return undefined;
  const [, traceId, spanId, flags] = shape.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, sampled }: Trace): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

export function newTrace(random: RandomHex = randomHex): Trace {
  return { traceId: notZero(random, 16), spanId: notZero(random, 8), sampled: true };
}

export function childTrace(parent: Trace, random: RandomHex = randomHex): Trace {
  return { ...parent, spanId: notZero(random, 8) };
}

/** The trace of a request that came with this header: a child of the caller's, or a new one. */
export function continueTrace(header: string | undefined, random: RandomHex = randomHex): Trace {
  const parent = parseTraceparent(header);
  return parent === undefined ? newTrace(random) : childTrace(parent, random);
}

/** All zeros means "no id" in the specification. */
function notZero(random: RandomHex, bytes: number): string {
  const text = random(bytes);
  return /[^0]/.test(text) ? text : `${'0'.repeat(bytes * 2 - 1)}1`;
}
