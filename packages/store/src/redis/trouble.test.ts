import { expect, test } from 'vitest';
import { LateError } from '../deadline.ts';
import type { StoreEvent } from '../store.ts';
import { explain, watchTrouble } from './trouble.ts';

test('reports changes only', () => {
  const events: StoreEvent[] = [];
  const trouble = watchTrouble((event) => events.push(event));
  const error = new Error('Socket closed unexpectedly');
  trouble.back();
  trouble.away(error);
  for (let count = 0; count < 1_000; count += 1) trouble.swallowed();
  trouble.away(new LateError(500));
  expect(trouble.state()).toEqual({ connected: false, error: 'no answer within 500 ms' });
  trouble.back();
  trouble.back();
  expect(trouble.state()).toEqual({ connected: true });
  expect(events).toEqual([
    { kind: 'away', reason: 'connection lost', error },
    { kind: 'back', awayMs: expect.any(Number), swallowed: 1_000 },
  ]);
});

test.each([
  [Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:6379'), { code: 'ECONNREFUSED' }), 'connection refused'],
  [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'connection refused'],
  [new Error('getaddrinfo ENOTFOUND redis.internal'), 'host not found'],
  [new Error('Connection timeout'), 'not reachable'],
  [new Error('MOVED 3999 10.0.0.7:6381'), 'part of a cluster: use redis+cluster:// or rediss+cluster://'],
  [new Error('ERR This instance has cluster support disabled'), 'not a cluster: use redis:// or rediss://'],
  [new Error('CLUSTERDOWN Hash slot not served'), 'its cluster is down'],
  [new Error('ERR DB index is out of range'), 'no such database'],
  [
    Object.assign(new Error('unable to verify'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }),
    'certificate cannot be verified: see NODE_EXTRA_CA_CERTS',
  ],
  [new Error('WRONGPASS invalid username-password pair'), 'access denied'],
  [new Error('LOADING Redis is loading the dataset in memory'), 'still loading its data'],
  [new Error("READONLY You can't write against a read only replica."), 'not the primary'],
  [new Error("OOM command not allowed when used memory > 'maxmemory'."), 'cannot write'],
  [new Error('The queue is full'), 'does not keep up'],
  [new Error('redis://user:secret@10.0.0.7'), 'connection lost'],
])('%s is reported as %s', (error, reason) => {
  expect(explain(error)).toBe(reason);
});
