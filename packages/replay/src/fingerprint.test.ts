import { expect, test } from 'vitest';
import { requestFingerprint } from './fingerprint.ts';

const json = (body: string, operation = 'chat') =>
  requestFingerprint({ operation, contentType: 'application/json', body: Buffer.from(body) });

test('every byte of a body counts, and what is asked for', () => {
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

test('a form is the same with another boundary, and another with another image', () => {
  expect(form('one', 'pixels')).toBe(form('anotherBoundary', 'pixels', true));
  expect(form('one', 'pixels')).not.toBe(form('one', 'pixel5'));
});
