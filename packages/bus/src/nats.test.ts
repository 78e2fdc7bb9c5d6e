import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { type LinkPair, linkSuite } from './link.suite.ts';
import { natsLink } from './nats.ts';
import { operationSubject } from './subject.ts';

async function openPair(): Promise<LinkPair> {
  const url = process.env.TEST_NATS_URL ?? '';
  const [client, server] = await Promise.all([natsLink({ url, name: 'client' }), natsLink({ url, name: 'server' })]);
  return {
    client: client!,
    server: server!,
    async close() {
      await Promise.all([client!.close(), server!.close()]);
    },
  };
}

linkSuite('the NATS link', openPair);

test('the frames of a large body leave together', async ({ onTestFinished }) => {
  const { client, server, close } = await openPair();
  onTestFinished(close);
  const body = Buffer.alloc(4 * 1024 * 1024);
  await server.listen({
    service: 'joined-frames',
    version: '1.0.0',
    handlers: { go: async () => ({ head: { status: 200, headers: {} }, body }) },
  });
  const write = vi.spyOn(Socket.prototype, 'write');
  onTestFinished(() => write.mockRestore());
  const head = { requestId: 'r1', timeoutMs: 10_000, headers: {} };
  const answer = await client.open(operationSubject('joined-frames', 'go'), { head, body: Buffer.alloc(0) });
  expect(await answer.body.bytes(body.length)).toHaveLength(body.length);
  const sizes = write.mock.calls.map(([bytes]) => bytes.length);
  expect(Math.max(...sizes)).toBeGreaterThan(1024 * 1024);
});
