import { describe, expect, test } from 'vitest';
import { checkUrl } from './check-url.ts';
import { UrlRefusal } from './refusal.ts';

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
    ['plain http', 'http://example.com/cat.png', 'must have an https or a data URL'],
    ['a file', 'file:///etc/passwd', 'must have an https or a data URL'],
    ['another scheme', 'gopher://example.com/', 'must have an https or a data URL'],
    ['a path', '/cat.png', 'has no valid URL'],
    ['nothing', '', 'has no valid URL'],
    ['credentials', 'https://me:secret@example.com/', 'must not have credentials in its URL'],
    ['a long one', `https://example.com/${'a'.repeat(8_192)}`, 'has a URL longer than 8192 characters'],
    ['loopback', 'https://127.0.0.1/', 'must not be at an address that is not public'],
    ['loopback as one number', 'https://2130706433/', 'must not be at an address that is not public'],
    ['loopback in octal', 'https://0177.0.0.1/', 'must not be at an address that is not public'],
    ['loopback in hexadecimal', 'https://0x7f.1/', 'must not be at an address that is not public'],
    ['IPv6 loopback', 'https://[::1]/', 'must not be at an address that is not public'],
    ['mapped metadata', 'https://[::ffff:169.254.169.254]/', 'must not be at an address that is not public'],
  ])('%s', (_name, url, reason) => expect(() => checkUrl(url, anywhere)).toThrow(new UrlRefusal(reason)));
});

test('at 8192 characters a URL is not too long', () => {
  const url = 'https://example.com/'.padEnd(8_192, 'a');
  expect(checkUrl(url, anywhere).href).toBe(url);
});

describe('where local is allowed', () => {
  test.each(['http://127.0.0.1:4010/cat.png', 'http://[::1]/cat.png', 'http://example.com/'])('so is %s', (url) =>
    expect(checkUrl(url, local).href).toBe(url),
  );
  test.each(['http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data'])('%s still is not', (url) =>
    expect(() => checkUrl(url, local)).toThrow('must not be at an address that is not public'),
  );
});
