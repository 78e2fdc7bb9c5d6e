import { expect, test } from 'vitest';
import { redisAddress } from './address.ts';

test.each([
  ['redis://host', { server: { host: 'host', port: 6379 } }],
  ['redis://host:6380/2', { server: { host: 'host', port: 6380 }, database: 2 }],
  ['redis://[::1]:6380', { server: { host: '::1', port: 6380 } }],
  ['redis://:s%40c%2Fr%25t@host', { server: { host: 'host', port: 6379 }, password: 's@c/r%t' }],
  [
    'rediss://user:secret@host',
    { server: { host: 'host', port: 6379 }, tls: true, username: 'user', password: 'secret' },
  ],
])('%s is a server', (url, parts) => {
  expect(redisAddress(url)).toEqual({ kind: 'server', tls: false, database: 0, ...parts });
});

test('Sentinels lead to the server that they name', () => {
  expect(redisAddress('rediss+sentinel://user:s%40cret@one:26379,two:26380/primary/3')).toEqual({
    kind: 'sentinel',
    tls: true,
    username: 'user',
    password: 's@cret',
    sentinels: [
      { host: 'one', port: 26379 },
      { host: 'two', port: 26380 },
    ],
    primary: 'primary',
    database: 3,
  });
  expect(redisAddress('redis+sentinel://one,[::1]/my-primary')).toEqual({
    kind: 'sentinel',
    tls: false,
    sentinels: [
      { host: 'one', port: 26379 },
      { host: '::1', port: 26379 },
    ],
    primary: 'my-primary',
    database: 0,
  });
});

test('nodes lead to their cluster', () => {
  expect(redisAddress('rediss+cluster://:s%40cret@one:6380,two')).toEqual({
    kind: 'cluster',
    tls: true,
    password: 's@cret',
    nodes: [
      { host: 'one', port: 6380 },
      { host: 'two', port: 6379 },
    ],
  });
  expect(redisAddress('redis+cluster://[::1]:7000')).toEqual({
    kind: 'cluster',
    tls: false,
    nodes: [{ host: '::1', port: 7000 }],
  });
});

test.each([
  '',
  'host',
  'http://host',
  'redis://',
  'redis://host/name',
  'redis://host:99999',
  'redis://:100%@host',
  'redis://one:6379,two:6379',
  'redis+sentinel://one:26379',
  'redis+sentinel://one:26379,/primary',
  'redis+sentinel://one:99999/primary',
  'redis+sentinel://one/primary/name',
  'redis+cluster://',
  'redis+cluster://one:6379,',
  'redis+cluster://one:99999',
  'redis+cluster://one:6379/0',
  'redis+cluster://one:6379/primary',
])('%j is none of them', (url) => {
  expect(redisAddress(url)).toBeUndefined();
});
