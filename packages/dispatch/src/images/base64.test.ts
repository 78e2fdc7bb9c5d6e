import { longStrings } from '@tallyport/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  base64SlicesOf,
  createBase64Encoder,
  decodedLength,
  firstBytes,
  fromBase64,
  lastBytes,
  toBase64,
} from './base64.ts';

const none = longStrings('none', []);
const textOf = (slices: readonly Buffer[]) => Buffer.concat(slices).toString();

/** The same bytes in chunks of random sizes. */
const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }).map((all) => all.map(Buffer.from));
const cuts = fc.array(fc.nat(400), { maxLength: 5 });

function cutAt(text: string, at: readonly number[]): Buffer[] {
  const places = [0, ...at.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => Buffer.from(text.slice(places[index], end)));
}

describe('laws', () => {
  test('any chunks of the same bytes encode to the same text, and any slices of it decode to them', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, cuts, fc.integer({ min: 1, max: 50 }), async (parts, at, some) => {
        const bytes = Buffer.concat(parts);
        const text = bytes.toString('base64');
        const slices = cutAt(text, at);
        expect(textOf(await toBase64(parts))).toBe(text);
        expect(await fromBase64(slices)).toEqual(bytes);
        expect(decodedLength(slices)).toBe(bytes.length);
        expect(firstBytes(slices, some)).toEqual(bytes.subarray(0, some));
        expect(lastBytes(slices, some)).toEqual(bytes.subarray(-some));
      }),
      { numRuns: 500 },
    );
  });
});

test('so do large chunks', async () => {
  const bytes = Buffer.alloc(2_000_000, 'some bytes of an image');
  const slices = await toBase64([bytes.subarray(0, 1_000_001), bytes.subarray(1_000_001)]);
  expect(textOf(slices)).toBe(bytes.toString('base64'));
  expect(await fromBase64(slices)).toEqual(bytes);
});

test('an encoder returns the same text when ended twice', () => {
  const encoder = createBase64Encoder();
  encoder.push(Buffer.from('ab'));
  expect([textOf(encoder.end()), textOf(encoder.end())]).toEqual(['YWI=', 'YWI=']);
});

test.each([
  ['unchanged', 'YWJj', 'YWJj'],
  ['of a data URL', 'data:image/png;base64,YWJj', 'YWJj'],
  ['in lines', 'YW\nJj\r\n', 'YWJj'],
  ['of nothing', '', ''],
  ['of a data URL of nothing', 'data:;base64,', ''],
])('the text of an image %s', (_name, text, expected) => {
  expect(textOf(base64SlicesOf(text, none))).toBe(expected);
});

test('behind a placeholder returns the original slices', () => {
  const slices = ['data:image/', 'png;base64,YW', 'Jj'].map((slice) => Buffer.from(slice));
  const strings = longStrings('n', [slices]);
  const [placeholder = ''] = strings.byPlaceholder.keys();
  const found = base64SlicesOf(placeholder, strings);
  expect(textOf(found)).toBe('YWJj');
  expect(found[1]).toBe(slices[2]);
});
