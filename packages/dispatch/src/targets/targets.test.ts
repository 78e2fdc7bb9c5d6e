import { type ChatProvider, openAiCompatible } from '@tallyport/providers';
import { expect, test } from 'vitest';
import { type ProviderAccess, readTargets } from './targets.ts';

const vendor = openAiCompatible({ id: 'vendor', baseUrl: 'https://api.vendor.test/v1', keyVariable: 'VENDOR' });
const headed: ChatProvider = {
  ...vendor,
  id: 'headed',
  keyVariable: 'HEADED',
  auth: { kind: 'header', name: 'api-key' },
};
const open: ChatProvider = { ...vendor, id: 'open', keyVariable: 'OPEN', auth: { kind: 'none' } };

const read = (access: Record<string, Partial<ProviderAccess>>) =>
  readTargets([vendor, headed, open], (stem) => ({ keys: [], baseUrl: undefined, ...access[stem] }));

test("uses the vendor's own address, with the first of several keys", () => {
  expect(read({ VENDOR: { keys: ['one', 'two'] } }).find('vendor')).toEqual({
    origin: 'https://api.vendor.test',
    pathPrefix: '/v1',
    headers: { authorization: 'Bearer one' },
  });
});

test('a base URL replaces scheme, host and leading path', () => {
  const targets = read({ HEADED: { keys: ['k'], baseUrl: 'http://127.0.0.1:9000/proxy/' } });
  expect(targets.find('headed')).toEqual({
    origin: 'http://127.0.0.1:9000',
    pathPrefix: '/proxy',
    headers: { 'api-key': 'k' },
  });
});

test('a provider cannot be called without a key, unless it needs none', () => {
  const targets = read({});
  expect(targets.find('vendor')).toBeUndefined();
  expect(targets.obstacle('vendor')).toBe('set VENDOR_API_KEY to use vendor');
  expect(targets.obstacle('vendor', { accountId: 'default', keyId: 'k' })).toBe('set VENDOR_API_KEY to use vendor');
  expect(targets.obstacle('vendor', { accountId: 'a', keyId: 'k' })).toBe('ask your operator for access to vendor');
  expect(targets.obstacle('open')).toBeUndefined();
  expect(targets.find('open')?.headers).toEqual({});
  expect(targets.obstacle('unheard-of')).toBe('there is no adapter for unheard-of');
});

test('if the key is optional, either an address or a key is enough', () => {
  const own: ChatProvider = { ...vendor, id: 'own', keyVariable: 'OWN', auth: { kind: 'bearer', optional: true } };
  const targets = (access: Partial<ProviderAccess>) =>
    readTargets([own], () => ({ keys: [], baseUrl: undefined, ...access }));
  expect(targets({}).obstacle('own')).toBe('set OWN_BASE_URL to use own');
  expect(targets({ baseUrl: 'http://127.0.0.1:9/v1' }).find('own')).toEqual({
    origin: 'http://127.0.0.1:9',
    pathPrefix: '/v1',
    headers: {},
  });
  expect(targets({ keys: ['k'] }).find('own')?.headers).toEqual({ authorization: 'Bearer k' });
});
