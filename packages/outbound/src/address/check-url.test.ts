import { describe, expect, test } from 'vitest';
import { checkUrl } from './check-url.ts';
import { UrlRefusal } from './url-refusal.ts';

const anywhere = { allowLocal: false };
const local = { allowLocal: true };

test.each([
  'https://example.com/cat.png',
  'https://example.com:8443/cat.png?size=1#part',
  'https://8.8.8.8/cat.png',
  'https://[2606:4700:4700::1111]/cat.png',
])('%s may be fetched', (url) => expect(checkUrl(url, anywhere).href).toBe(url));

describe('refused', () => {
  test.each([
    ['plain http', 'http://example.com/cat.png', 'must have an https or data URL'],
    ['a file', 'file:///etc/passwd', 'must have an https or data URL'],
    ['another scheme', 'gopher://example.com/', 'must have an https or data URL'],
    ['a path', '/cat.png', 'has an invalid URL'],
    ['nothing', '', 'has an invalid URL'],
    ['credentials', 'https://me:secret@example.com/', 'must not have credentials in its URL'],
    ['a long one', `https://example.com/${'a'.repeat(8_192)}`, 'has a URL longer than 8192 characters'],
    ['loopback', 'https://127.0.0.1/', 'must be at a public address'],
    ['loopback as one number', 'https://2130706433/', 'must be at a public address'],
    ['loopback in octal', 'https://0177.0.0.1/', 'must be at a public address'],
    ['loopback in hexadecimal', 'https://0x7f.1/', 'must be at a public address'],
    ['IPv6 loopback', 'https://[::1]/', 'must be at a public address'],
    ['mapped metadata', 'https://[::ffff:169.254.169.254]/', 'must be at a public address'],
  ])('%s', (_name, url, reason) => expect(() => checkUrl(url, anywhere)).toThrow(new UrlRefusal(reason)));
});

test('accepts a URL of 8192 characters', () => {
  const url = 'https://example.com/'.padEnd(8_192, 'a');
  expect(checkUrl(url, anywhere).href).toBe(url);
});

describe('with local addresses allowed', () => {
  test.each(['http://127.0.0.1:4010/cat.png', 'http://[::1]/cat.png', 'http://example.com/'])(
    '%s may be fetched',
    (url) => expect(checkUrl(url, local).href).toBe(url),
  );
  test.each(['http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data'])('%s is refused', (url) =>
    expect(() => checkUrl(url, local)).toThrow('must be at a public address'),
  );
});
