import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WireError } from '../wire-error.ts';
import { textHeaders } from './headers.ts';

test.each<[string, number[]]>([
  ['a name that is longer than what is left', [5, 0x61]],
  ['no value type', [1, 0x61]],
  ['an unknown value type', [1, 0x61, 10, 0]],
  ['a value that is longer than what is left', [1, 0x61, 7, 0, 9, 0x61]],
  ['half a length', [1, 0x61, 7, 0]],
])('%s is corrupt', (_name, bytes) => {
  expect(() => textHeaders(Buffer.from(bytes))).toThrow(WireError);
});

test('any bytes give headers or the typed error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => gaveHeaders(bytes)),
    { numRuns: 3_000 },
  );
});

/** Rethrows anything but a WireError, which fails the property. */
function gaveHeaders(bytes: Uint8Array): void {
  try {
    textHeaders(Buffer.from(bytes));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
}
