import { expect, test } from 'vitest';
import { natsAddress } from './nats-address.ts';

test.each([
  ['a host alone', 'nats://bus.example', { servers: ['nats://bus.example:4222'] }],
  ['a port', 'nats://bus.example:4333', { servers: ['nats://bus.example:4333'] }],
  ['a token', 'nats://s3cret@bus.example', { servers: ['nats://bus.example:4222'], token: 's3cret' }],
  [
    'a user and an encoded password',
    'nats://ada:p%40ss@bus.example',
    { servers: ['nats://bus.example:4222'], user: 'ada', pass: 'p@ss' },
  ],
  [
    'several servers, of which one needs TLS and another has the credentials',
    'nats://one.example, tls://ada:pass@two.example:4333',
    { servers: ['nats://one.example:4222', 'tls://two.example:4333'], tls: {}, user: 'ada', pass: 'pass' },
  ],
])('an address with %s is read', (_what, url, expected) => {
  expect(natsAddress(url)).toEqual(expected);
});
