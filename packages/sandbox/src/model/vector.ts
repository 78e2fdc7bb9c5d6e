import { createHash } from 'node:crypto';

/** A vector of length 1 that follows from the input alone, so that equal inputs have equal vectors. */
export function vectorOf(input: unknown, dimensions: number): Float32Array {
  const numbers = new Float32Array(dimensions);
  const seed = createHash('sha1').update(JSON.stringify(input)).digest();
  let state = seed.readUInt32LE(0);
  let squares = 0;
  for (let at = 0; at < dimensions; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const number = state / 2 ** 31 - 1;
    numbers[at] = number;
    squares += number ** 2;
  }
  const length = Math.sqrt(squares);
  return numbers.map((number) => number / length);
}

/** The numbers as float32, the lowest byte first, in base64. */
export function vectorInBase64(numbers: Float32Array): string {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeFloatLE(number, at * 4);
  return bytes.toString('base64');
}
