import { expect, test } from 'vitest';
import { longestBoundary, mostDelimiters, requestFingerprint } from './fingerprint.ts';

const json = (body: string, operation = 'chat') =>
  requestFingerprint({ operation, contentType: 'application/json', body: Buffer.from(body) });

test('every byte of a body counts, and so does the operation', () => {
  expect(json('{"a":1}')).toBe(json('{"a":1}'));
  const others = [json('{"a":2}'), json('{"a":1} '), json(''), json('{"a":1}', 'image edit')];
  expect(new Set([json('{"a":1}'), ...others]).size).toBe(5);
});

const form = (boundary: string, image: string, quoted = false) =>
  requestFingerprint({
    operation: 'image edit',
    contentType: `multipart/form-data; boundary=${quoted ? `"${boundary}"` : boundary}`,
    body: Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="image"\r\n\r\n${image}\r\n--${boundary}--\r\n`,
    ),
  });

test('a form is equal with another boundary, and different with another image', () => {
  expect(form('one', 'pixels')).toBe(form('anotherBoundary', 'pixels', true));
  expect(form('one', 'pixels')).not.toBe(form('one', 'pixel5'));
});

const parts = (boundary: string, count: number) =>
  requestFingerprint({
    operation: 'image edit',
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.from(`--${boundary}part\r\n`.concat(`\r\n--${boundary}part`.repeat(count))),
  });

test('a form with more delimiters or a longer boundary than accepted is compared byte by byte', () => {
  expect(parts('one', mostDelimiters)).toBe(parts('two', mostDelimiters));
  expect(parts('one', mostDelimiters + 1)).toBe(parts('one', mostDelimiters + 1));
  expect(parts('one', mostDelimiters + 1)).not.toBe(parts('two', mostDelimiters + 1));
  const [long, other] = ['a'.repeat(longestBoundary), 'b'.repeat(longestBoundary)];
  expect(parts(long, 1)).toBe(parts(other, 1));
  expect(parts(`${long}c`, 1)).not.toBe(parts(`${other}c`, 1));
});

test('bytes that move from one part to the next make a different form', () => {
  const print = (body: string) =>
    requestFingerprint({ operation: 'x', contentType: 'multipart/form-data; boundary=b', body: Buffer.from(body) });
  expect(print('--b1\r\n--b2\r\n--b--')).not.toBe(print('--b12\r\n--b\r\n--b--'));
});

const bodyBytes = 8 * 1024 * 1024;

function millisecondsFor(contentType: string, body: Buffer): number {
  const from = performance.now();
  requestFingerprint({ operation: 'image edit', contentType, body });
  return performance.now() - from;
}

/** How many times longer a body takes as a form than as JSON. The least of three: other load only adds to a time. */
function timesLonger(boundary: string, fill: string): number {
  const body = Buffer.alloc(bodyBytes, fill);
  const ratios = [1, 2, 3].map(() => {
    const asForm = millisecondsFor(`multipart/form-data; boundary=${boundary}`, body);
    return asForm / millisecondsFor('application/json', body);
  });
  return Math.min(...ratios);
}

test.each([
  ['one letter', 'a', 'a'],
  ['one dash', '-', '-'],
  ['dashes', '-'.repeat(longestBoundary), '-'],
  ['delimiters and nothing else', 'a', '\r\n--a'],
  ['almost delimiters', `${'a'.repeat(longestBoundary - 1)}b`, `\r\n--${'a'.repeat(longestBoundary)}`],
  ['another end', `b${'a'.repeat(longestBoundary - 1)}`, `\r\n--${'a'.repeat(longestBoundary)}`],
  ['a period of two', 'ab'.repeat(longestBoundary / 2), 'ab'],
  ['beginnings of delimiters', 'a'.repeat(longestBoundary), '\r\n--'],
  ['a boundary longer than any', 'a'.repeat(10_000), 'a'],
])('a body made of its own boundary takes about as long as any other: %s', (_name, boundary, fill) => {
  // 1 to 2 times; with a step per occurrence, more than 80 times.
  expect(timesLonger(boundary, fill)).toBeLessThan(10);
});
