import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { linkSuite } from './link.suite.ts';
import { natsLink } from './nats.ts';
import { operationSubject } from './subject.ts';

linkSuite('the NATS link', async () => {
  const url = process.env.TEST_NATS_URL ?? '';
  const [client, server] = await Promise.all([natsLink({ url, name: 'client' }), natsLink({ url, name: 'server' })]);
  return {
    client: client!,
    server: server!,
    async close() {
      await Promise.all([client!.close(), server!.close()]);
    },
  };
});

test('the frames of a large body leave together', async () => {
  const url = process.env.TEST_NATS_URL ?? '';
  const [client, server] = await Promise.all([natsLink({ url, name: 'client' }), natsLink({ url, name: 'server' })]);
  const body = Buffer.alloc(4 * 1024 * 1024);
  await server.listen({
    service: 'joined-frames',
    version: '1.0.0',
    handlers: { go: async () => ({ head: { status: 200, headers: {} }, body }) },
  });
  const write = vi.spyOn(Socket.prototype, 'write');
  const head = { requestId: 'r1', timeoutMs: 10_000, headers: {} };
  const answer = await client.open(operationSubject('joined-frames', 'go'), { head, body: Buffer.alloc(0) });
  expect(await answer.body.bytes(body.length)).toHaveLength(body.length);
  const sizes = write.mock.calls.map(([bytes]) => bytes.length);
  write.mockRestore();
  await Promise.all([client.close(), server.close()]);
  expect(Math.max(...sizes)).toBeGreaterThan(1024 * 1024);
});
