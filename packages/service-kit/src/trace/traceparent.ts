import { randomBytes, randomFillSync } from 'node:crypto';

/** The position of a request in a distributed trace, as defined by W3C Trace Context (version 00). */
export interface Trace {
  /** 32 hexadecimal digits, the same for the whole trace. */
  readonly traceId: string;
  /** 16 hexadecimal digits, one per span. */
  readonly spanId: string;
  readonly sampled: boolean;
}

/** Returns the given number of random bytes as hexadecimal text. */
type RandomHex = (bytes: number) => string;

const randomHex: RandomHex = (bytes) => randomBytes(bytes).toString('hex');

/** For hot paths: fetches random bytes from the system in large amounts, at a tenth of the cost. */
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
 * Version, trace, span, flags. Version ff and ids of zeros are invalid; version 00 ends after the flags, later versions
 * may have more fields.
 */
const shape = /^(?!ff)(?!00.{53}-)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const longest = 512;

/** Parses a header. `undefined` means that it is invalid and a new trace starts. */
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

/** The trace of a request with this header: a child of the caller's trace, or a new one. */
export function continueTrace(header: string | undefined, random: RandomHex = randomHex): Trace {
  const parent = parseTraceparent(header);
  return parent === undefined ? newTrace(random) : childTrace(parent, random);
}

/** In the specification all zeros means "no id". */
function notZero(random: RandomHex, bytes: number): string {
  const text = random(bytes);
  return text[0] !== '0' || /[^0]/.test(text) ? text : `${'0'.repeat(bytes * 2 - 1)}1`;
}
