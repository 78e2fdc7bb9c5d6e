import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenMcp, openMcp } from '../testing/open-mcp.ts';

let mcp: OpenMcp;
let done: PromiseWithResolvers<void>;
let running = 0;

beforeEach(async () => {
  mcp = await openMcp({ MCP_MAX_CONCURRENT: '3', MCP_MAX_CONCURRENT_PER_ACCOUNT: '2' });
  done = Promise.withResolvers();
  running = 0;
  mcp.behind.listModels = async () => {
    running += 1;
    await done.promise;
    return { head: { status: 200, headers: {} }, body: Buffer.from('{"object":"list","data":[]}') };
  };
});
afterEach(async () => {
  done.resolve();
  await mcp.stop();
});

const call = (accountId: string) =>
  mcp.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list-models', arguments: {} } },
    { principal: { accountId, keyId: 'key' } },
  );

test('limits running requests per account and in total, and frees their slots', async () => {
  const own = [call('greedy'), call('greedy')];
  await expect.poll(() => running).toBe(2);
  const refused = await call('greedy');
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
    429,
    '1',
    {
      error: {
        message:
          'This account has 2 MCP requests running (MCP_MAX_CONCURRENT_PER_ACCOUNT). Try again when one has finished.',
      },
    },
  ]);
  own.push(call('other'));
  await expect.poll(() => running).toBe(3);
  expect((await call('third')).status).toBe(503);
  done.resolve();
  expect((await Promise.all(own)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await call('greedy')).status).toBe(200);
});
