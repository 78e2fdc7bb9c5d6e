import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { addressRanges } from './address-ranges.ts';
import { clientAddresses } from './client-address.ts';

const requestFrom = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

test.each([
  ['no trusted proxies', [], '10.0.0.1', '203.0.113.7', '10.0.0.1'],
  ['no X-Forwarded-For header', ['10.0.0.0/8'], '10.0.0.1', undefined, '10.0.0.1'],
  ['a trusted proxy names the client', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['over an IPv6 socket', ['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
  [
    'entries the client wrote itself precede the proxy’s',
    ['10.0.0.0/8'],
    '10.0.0.1',
    '198.51.100.1, 203.0.113.7',
    '203.0.113.7',
  ],
  ['through two proxies', ['10.0.0.0/8'], '10.0.0.1', '198.51.100.1,203.0.113.7, 10.0.0.2', '203.0.113.7'],
  ['only trusted proxies', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['an entry that is not an address', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.7, unknown', '10.0.0.1'],
  ['with a port', ['10.0.0.0/8'], '10.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
  ['IPv6 with a port', ['10.0.0.0/8'], '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
])('%s', (_, trusted, socket, forwarded, expected) => {
  expect(clientAddresses(addressRanges(trusted))(requestFrom(socket, forwarded))).toBe(expected);
});
