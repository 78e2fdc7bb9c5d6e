/** Forms of a vector with smaller numbers; `undefined` for an unknown one. */
export function quantised(vector: Iterable<number>, type: unknown): number[] | undefined {
  const numbers = [...vector];
  switch (type ?? 'float') {
    case 'float':
      return numbers;
    case 'int8':
      return numbers.map((number) => Math.round(number * 127));
    case 'uint8':
      return numbers.map((number) => Math.round(number * 127) + 128);
    case 'ubinary':
      return bytesOf(numbers);
    case 'binary':
      return bytesOf(numbers).map((byte) => byte - 128);
    default:
      return undefined;
  }
}

/** Eight signs in a byte, the first one highest. */
function bytesOf(numbers: readonly number[]): number[] {
  const bytes = Array.from({ length: Math.ceil(numbers.length / 8) }, () => 0);
  for (const [at, number] of numbers.entries()) if (number > 0) bytes[at >> 3]! |= 0x80 >> (at & 7);
  return bytes;
}
