import { type Database, openDatabase } from '@tallyport/database';
import { analyticsOperations } from '@tallyport/management';
import type { ApiCaller } from '@tallyport/management-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { analyticsEndpoints } from './analytics-endpoints.ts';

let away: Database;
beforeAll(async () => {
  away = await openDatabase({ url: 'postgres://127.0.0.1:1/nowhere' });
});
afterAll(() => away.close());

let unhandled: unknown[];
const note = (error: unknown) => void unhandled.push(error);
beforeEach(() => {
  unhandled = [];
  process.on('unhandledRejection', note);
});
afterEach(() => void process.off('unhandledRejection', note));

const owner: ApiCaller = { accountId: 'acme', actor: 'user:ann', role: 'owner', operator: false };
const context = { address: '', sessionToken: undefined, setSession() {} };

test('a wrong period before is refused, and no read fails later', async () => {
  const { path } = analyticsOperations.readLatency;
  const latency = analyticsEndpoints({ database: away }).find(({ operation }) => operation.path === path);
  const read = async (input: object) => latency?.run({ by: 'day', ...input }, owner, context);
  const turned = { before_from: '2026-11-21', before_to: '2026-11-20' };
  await expect(read(turned)).rejects.toMatchObject({ code: 'invalid_parameters' });
  // Reads of the request before would have failed by then.
  await expect(read({})).rejects.toThrow('connect ECONNREFUSED');
  expect(unhandled).toEqual([]);
});
