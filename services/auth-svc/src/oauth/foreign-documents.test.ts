import { expect, test } from 'vitest';
import { mayFetch } from './foreign-documents.ts';

test.each([
  ['a public name', 'https://client.example.com/metadata.json', true],
  ['a public name that ends with a dot', 'https://client.example.com./metadata.json', true],
  ['plain http', 'http://client.example.com/metadata.json', false],
  ['another port', 'https://client.example.com:8443/metadata.json', false],
  ['user and password', 'https://a:b@client.example.com/metadata.json', false],
  ['an address', 'https://203.0.113.7/metadata.json', false],
  ['an address in hexadecimal', 'https://0x7f000001/metadata.json', false],
  ['an IPv6 address', 'https://[::1]/metadata.json', false],
  ['a name without a dot', 'https://postgres/metadata.json', false],
  ['localhost', 'https://localhost/metadata.json', false],
  ['a name below localhost', 'https://a.localhost/metadata.json', false],
  ['a cluster-internal name', 'https://auth.default.svc.cluster.local/metadata.json', false],
  ['a network-internal name', 'https://db.internal/metadata.json', false],
  ['an internal name with a trailing dot', 'https://db.internal./metadata.json', false],
  ['512 characters', `https://client.example.com/${'x'.repeat(485)}`, true],
  ['513 characters', `https://client.example.com/${'x'.repeat(486)}`, false],
  ['a text that is not a URL', 'client', false],
])('%s', (_what, address, allowed) => {
  expect(mayFetch(address)).toBe(allowed);
});
