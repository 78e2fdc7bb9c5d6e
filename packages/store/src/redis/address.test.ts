import { expect, test } from 'vitest';
import { redisAddress } from './address.ts';

function read(url: string): unknown {
  const address = redisAddress(url);
  return address?.kind === 'sentinel' ? { ...address, urlAt: address.urlAt('::1', 6379) } : address;
}

test.each(['redis://host', 'rediss://user:secret@host:6380/2', 'redis://[::1]:6379'])('%s is a server', (url) => {
  expect(read(url)).toEqual({ kind: 'server', url });
});

test('Sentinels lead to the server that they name', () => {
  expect(read('rediss+sentinel://user:s%40cret@one:26379,two:26380/primary/3')).toEqual({
    kind: 'sentinel',
    sentinels: ['rediss://one:26379', 'rediss://two:26380'],
    primary: 'primary',
    urlAt: 'rediss://user:s%40cret@[::1]:6379/3',
  });
  expect(read('redis+sentinel://one/my-primary')).toEqual({
    kind: 'sentinel',
    sentinels: ['redis://one'],
    primary: 'my-primary',
    urlAt: 'redis://[::1]:6379',
  });
});

test.each([
  '',
  'host',
  'http://host',
  'redis://',
  'redis://host/name',
  'redis://host:99999',
  'redis://one:6379,two:6379',
  'redis+cluster://one:6379',
  'redis+sentinel://one:26379',
  'redis+sentinel://one:26379,/primary',
  'redis+sentinel://one:99999/primary',
  'redis+sentinel://one/primary/name',
])('%j is neither', (url) => {
  expect(redisAddress(url)).toBeUndefined();
});
