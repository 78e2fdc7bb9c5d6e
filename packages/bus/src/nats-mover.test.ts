import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { natsLink } from './nats.ts';
import { operationSubject } from './subject.ts';

const url = process.env['TEST_NATS_URL'] ?? '';

/** A relay to the NATS server that cuts the first `cuts` connections on which a service subscribes. */
async function relayThatCuts(cuts: number) {
  const nats = new URL(url);
  let left = cuts;
  const server = createServer((near) => {
    const far = connect(Number(nats.port), nats.hostname);
    near.on('data', (bytes) => {
      if (left === 0 || !bytes.includes('SUB $SRV.PING')) return far.write(bytes);
      left -= 1;
      near.destroy();
    });
    far.pipe(near);
    near.on('error', () => {}).on('close', () => far.destroy());
    far.on('error', () => {}).on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`, left: () => left };
}

test('a service starts although the connection is lost while it subscribes, twice', async () => {
  const relay = await relayThatCuts(2);
  const link = await natsLink({ url: relay.url, name: 'service' });
  onTestFinished(() => link.close());
  const service = `s-${randomUUID()}`;
  const answer = () => Promise.resolve({ head: { status: 204, headers: {} }, body: Buffer.alloc(0) });
  await link.listen({ service, version: '0.1.0', handlers: { ask: answer } });
  expect(relay.left()).toBe(0);
  const asked = { head: { requestId: 'r', timeoutMs: 5_000, headers: {} }, body: Buffer.alloc(0) };
  const { head } = await link.open(operationSubject(service, 'ask'), asked);
  expect(head.status).toBe(204);
});
