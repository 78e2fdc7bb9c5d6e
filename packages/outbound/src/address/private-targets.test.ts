import { describe, expect, test } from 'vitest';
import { checkUrl } from './check-url.ts';
import { privateTargets } from './private-targets.ts';

describe('entries', () => {
  test.each([
    '10.0.0.0/8',
    '10.20.30.40',
    '172.16.0.0/12',
    '192.168.1.0/24',
    '100.64.0.0/10',
    '127.0.0.1',
    '::1',
    'fd00:1::/32',
    '::ffff:10.0.0.1',
    'dlp',
    'dlp.security.svc',
    'DLP.Security.svc.',
  ])('%s is accepted', (entry) => expect(() => privateTargets([entry])).not.toThrow());

  test.each([
    '0.0.0.0/0',
    '8.8.8.8',
    '10.0.0.0/7',
    '172.16.0.0/11',
    '169.254.0.0/16',
    '169.254.169.254',
    '10.0.0.0/33',
    '::/0',
    'fe80::/10',
    'fc00::/6',
    '::ffff:10.0.0.0/104',
  ])('%s is no private range', (entry) =>
    expect(() => privateTargets(['dlp', entry])).toThrow(`"${entry}" is no range of private addresses.`),
  );

  test.each(['http://dlp', 'dlp:8080', 'user@dlp', '*.svc', '2130706433', '0x7f.1', '012.0.0.0/8', '*', ' '])(
    '%s is no host name',
    (entry) => expect(() => privateTargets([entry])).toThrow(`"${entry}" is no host name.`),
  );
});

describe('a range', () => {
  const { allows, names } = privateTargets([
    '10.20.0.0/16',
    '127.0.0.2',
    'fd00:1::/32',
    '100.64.0.0/10',
    'fd00:ec2::/32',
  ]);
  test.each([
    ['its first address', '10.20.0.0', true],
    ['its last address', '10.20.255.255', true],
    ['the address before it', '10.19.255.255', false],
    ['the address after it', '10.21.0.0', false],
    ['an address of it mapped into IPv6', '::ffff:10.20.0.1', true],
    ['the same in hexadecimal', '::ffff:a14:1', true],
    ['another mapped address', '::ffff:10.21.0.1', false],
    ['an address of it behind NAT64', '64:ff9b::10.20.0.1', false],
    ['the only address of another range', '127.0.0.2', true],
    ['the address after it', '127.0.0.3', false],
    ['the first of an IPv6 range', 'fd00:1::', true],
    ['the last of an IPv6 range', 'fd00:1:ffff:ffff:ffff:ffff:ffff:ffff', true],
    ['the one after an IPv6 range', 'fd00:2::', false],
    ['an address with a zone', 'fd00:1::1%eth0', false],
    ['metadata within a listed range', '100.100.100.200', false],
    ['metadata within a listed range, mapped', '::ffff:100.100.100.200', false],
    ['metadata within a listed IPv6 range', 'fd00:ec2::254', false],
    ['its neighbour', 'fd00:ec2::255', true],
    ['metadata', '169.254.169.254', false],
    ['no address', 'dlp', false],
  ])('%s, %s: %s', (_name, address, allowed) => expect(allows(address, 'any.example')).toBe(allowed));

  test('names its addresses, for plain http, but no host', () => {
    expect(['10.20.0.1', '10.21.0.1', 'any.example'].map(names)).toEqual([true, false, false]);
  });
});

describe('a host', () => {
  const { allows, names } = privateTargets(['Dlp.Security.svc']);
  test.each([
    ['dlp.security.svc', true],
    ['dlp.security.svc.', true],
    ['security.svc', false],
    ['evil.dlp.security.svc', false],
  ])('%s is named: %s', (host, named) => expect(names(host)).toBe(named));
  test.each([
    ['10.1.2.3', true],
    ['192.168.0.1', true],
    ['fd12::1', true],
    ['127.0.0.1', false],
    ['::1', false],
    ['169.254.169.254', false],
    ['100.100.100.200', false],
    ['fd00:ec2::254', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
  ])('may resolve to %s: %s', (address, allowed) => expect(allows(address, 'dlp.security.svc')).toBe(allowed));
  test('opens no address to another host', () => expect(allows('10.1.2.3', 'other.svc')).toBe(false));
});

describe('URLs', () => {
  const rules = { allowLocal: false, privateTargets: privateTargets(['dlp.svc', '10.20.0.0/16', 'fd00:1::/32']) };
  test.each([
    'https://10.20.0.1/',
    'http://10.20.0.1:8080/decide',
    'https://[fd00:1::5]/',
    'http://dlp.svc:8080/decide',
    'http://DLP.svc./',
    'https://example.com/',
  ])('%s is allowed', (url) => expect(checkUrl(url, rules).href).toBe(new URL(url).href));
  test.each([
    ['https://10.21.0.1/', 'must be at a public address'],
    ['https://[::ffff:10.21.0.1]/', 'must be at a public address'],
    ['https://127.0.0.1/', 'must be at a public address'],
    ['http://example.com/', 'must have an https or data URL'],
    ['http://evil.dlp.svc/', 'must have an https or data URL'],
    ['gopher://dlp.svc/', 'must have an https or data URL'],
    ['http://me:secret@dlp.svc/', 'must not have credentials in its URL'],
  ])('%s is refused', (url, reason) => expect(() => checkUrl(url, rules)).toThrow(reason));
});
