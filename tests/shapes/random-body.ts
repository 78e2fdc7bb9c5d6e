/** A chat with random JSON as its messages or another member, of about `bytes` bytes; deterministic for a seed. */
export function randomBody(seed: number, bytes: number): Buffer {
  const random = generator(seed);
  const pieces: string[] = [];
  let length = 0;
  while (length < bytes) {
    const piece = value(random, bytes / (1 + random(20)), random(8));
    const copies = Math.min(1 + random(100_000), Math.ceil((bytes - length) / piece.length));
    pieces.push(`${piece},`.repeat(copies));
    length += (piece.length + 1) * copies;
  }
  const member = ['messages', 'tools', 'metadata', 'stop', 'vendor'][random(5)]!;
  const elements = `${pieces.join('')}0`;
  const content = random(2) === 0 ? `[${elements}]` : `[{"role":"user","content":[${elements}]}]`;
  return Buffer.from(`{"model":"m","${member}":${content}}`);
}

type Random = (below: number) => number;

const letters = ['x', 'é', '中', '😀', '\\n', '\\"', '\\\\', '\\u4e00', ' ', '/'];
const leaves = ['0', '-1.5e300', 'null', 'true', '{}', '[]', '""', '"user"', '{"type":"text","text":"Hi"}', '  1  '];
const good = '{"role":"user","content":"Hi"}';

function value(random: Random, bytes: number, depth: number): string {
  switch (depth === 0 ? random(3) : random(6)) {
    case 0:
      return leaves[random(leaves.length)]!;
    case 1:
      return good;
    case 2:
      return text(random, bytes);
    case 3:
      return `[${value(random, bytes, depth - 1)},${value(random, bytes, depth - 1)}]`;
    case 4:
      return `{${text(random, 50)}:${value(random, bytes, depth - 1)}}`;
    default:
      return '['.repeat(random(300)) + value(random, bytes, depth - 1);
  }
}

const text = (random: Random, bytes: number): string =>
  `"${letters[random(letters.length)]!.repeat(random(bytes / 6))}${letters[random(letters.length)]!}"`;

/** Mulberry32: a small, portable generator. */
function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
