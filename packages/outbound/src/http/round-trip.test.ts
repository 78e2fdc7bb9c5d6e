import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createRoundTrip, measureRoundTrip } from './round-trip.ts';

test.each<[string, number, [number, number][]]>([
  ['is 0 before anything was measured', 0, []],
  [
    'is 0 before three connections were measured',
    0,
    [
      [40, 60],
      [30, 90],
      [0, 35],
    ],
  ],
  [
    'is the longest time that it took at least',
    40,
    [
      [40, 60],
      [30, 90],
      [20, 50],
    ],
  ],
  [
    'is no longer than the shortest connection, if a busy machine measured another one',
    41,
    [
      [90, 90],
      [41, 41],
      [60, 60],
    ],
  ],
  [
    'is no longer than the shortest answer',
    35,
    [
      [40, 60],
      [40, 60],
      [40, 60],
      [0, 35],
    ],
  ],
  ['is not known from answers alone', 0, Array.from({ length: 3 }, () => [0, 35])],
])('a round trip %s', (_name, leastMs, measured) => {
  const trip = createRoundTrip();
  for (const [atLeast, atMost] of measured) trip.took(atLeast, atMost);
  expect(trip.leastMs()).toBe(leastMs);
});

test('the time in which a busy process did not notice that it is connected does not count', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const socket = connect({ port: typeof address === 'object' ? (address?.port ?? 0) : 0, host: '127.0.0.1' });
  const took: [number, number][] = [];
  measureRoundTrip(socket, { leastMs: () => 0, took: (...times) => void took.push(times) }, { isSecure: false });
  // After the connection was begun, which is announced in the next turn.
  process.nextTick(() => {
    for (const end = performance.now() + 30; performance.now() < end;);
  });
  await once(socket, 'connect');
  socket.destroy();
  server.close();
  expect(took).toHaveLength(1);
  expect(took[0]?.[0]).toBeLessThan(20);
});
