import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createPools } from '@tallyport/outbound';
import { createNetwork } from './network.ts';

const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A network that reads little, and the address of a vendor that answers as the test says. */
async function networkTo(listener: RequestListener, deadlineMs = 20_000) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const pools = createPools({ connectMs: 1_000 });
  endings.push(async () => {
    await pools.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const network = createNetwork(pools, { deadlineMs, maxBytes: 100 });
  return () => network.send({ origin, path: '/token', method: 'POST', headers: {}, body: 'a=b' });
}

test('returns the status and the text, also of an error', async () => {
  const ask = await networkTo((request, response) => void response.writeHead(403).end(`${request.method} no`));
  expect(await ask()).toEqual({ status: 403, text: 'POST no' });
});

test('silence ends at the deadline, before the head and after it', async () => {
  const silent = await networkTo(() => undefined, 100);
  await expect(silent()).rejects.toMatchObject({ kind: 'first_byte_timeout' });
  const slow = await networkTo((_request, response) => void response.writeHead(200).write('{'), 100);
  await expect(slow()).rejects.toMatchObject({ kind: 'first_byte_timeout' });
});

test.each([
  [100, 'taken'],
  [101, 'too_large'],
])('an answer of %i bytes is %s', async (bytes, outcome) => {
  const ask = await networkTo((_request, response) => void response.end('x'.repeat(bytes)));
  const came = await ask().then(
    () => 'taken',
    (error: { kind: string }) => error.kind,
  );
  expect(came).toBe(outcome);
});
