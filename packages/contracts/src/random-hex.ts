import { randomFillSync } from 'node:crypto';

const idBytes = 16;
const idsAtOnce = 256;

/** 128 random bits as 32 hexadecimal digits, for ids. Every request needs some, so their bytes are drawn in advance. */
export const randomHex: () => string = openHexPool();

function openHexPool(): () => string {
  const pool = Buffer.alloc(idsAtOnce * idBytes);
  let next = pool.length;
  return () => {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    next += idBytes;
    return pool.toString('hex', next - idBytes, next);
  };
}
