import { describe, expect, test } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';

describe('public', () => {
  test.each(['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0', '192.167.255.255'])(
    '%s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
  test.each(['2606:4700:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])('%s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe('not public', () => {
  test.each([
    ['this network', '0.0.0.0'],
    ['this network, not its first', '0.1.2.3'],
    ['private, 10/8', '10.0.0.0'],
    ['private, the last of 10/8', '10.255.255.255'],
    ['private, 172.16/12', '172.16.0.0'],
    ['private, the last of 172.16/12', '172.31.255.255'],
    ['private, 192.168/16', '192.168.1.1'],
    ['loopback', '127.0.0.1'],
    ['loopback, not its first', '127.255.255.254'],
    ['link-local and metadata', '169.254.169.254'],
    ['carrier NAT', '100.64.0.0'],
    ['carrier NAT and metadata', '100.100.100.200'],
    ['metadata in a public range', '168.63.129.16'],
    ['protocol assignments and metadata', '192.0.0.192'],
    ['documentation', '203.0.113.7'],
    ['benchmarking', '198.19.255.255'],
    ['6to4 relay', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 unspecified', '::'],
    ['IPv6 loopback', '::1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped private, in hexadecimal', '::ffff:a00:1'],
    ['mapped metadata', '::ffff:169.254.169.254'],
    ['translated (SIIT) loopback', '::ffff:0:127.0.0.1'],
    ['NAT64 private', '64:ff9b::10.0.0.1'],
    ['NAT64 metadata', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::1'],
    ['6to4', '2002:808:808::1'],
    ['6to4 of a private address', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378::'],
    ['unique local and metadata', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['global with a zone', '2606:4700::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['discard', '100::1'],
    ['unassigned', '4000::1'],
    ['a name', 'localhost'],
    ['nothing', ''],
  ])('%s: %s', (_name, address) => expect(isPublicAddress(address)).toBe(false));
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['0.0.0.0', false],
  ['8.8.8.8', false],
])('%s is loopback: %s', (address, loopback) => expect(isLoopbackAddress(address)).toBe(loopback));
