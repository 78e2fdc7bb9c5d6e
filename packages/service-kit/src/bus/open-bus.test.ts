import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createKit, StartError } from '../life/index.ts';
import type { Kit } from '../life/index.ts';
import { silentLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import { openBus } from './open-bus.ts';

function kitWith(NATS_URL: string | undefined, name = 'chat-svc'): Kit<{ NATS_URL: string | undefined }> {
  const metrics = createMetrics({ defaults: false });
  return createKit({ name, config: { NATS_URL }, log: silentLog(), metrics });
}

/** A proxy to the NATS server that can be opened and cut. */
function natsProxy() {
  const nats = new URL(process.env['TEST_NATS_URL'] ?? '');
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(nats.port), nats.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  return {
    async open(port = 0) {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    cut,
  };
}

test('a service in its own process needs NATS_URL', async () => {
  const opening = openBus(kitWith(undefined));
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow('chat-svc reaches the other services over NATS: set NATS_URL');
});

test('the bus waits for the server, and its check fails while disconnected', async () => {
  const proxy = natsProxy();
  const port = await proxy.open();
  proxy.cut();
  // A process that needs no service of others.
  const kit = kitWith(`nats://127.0.0.1:${port}`, 'tallyport');
  const opening = openBus(kit);
  await proxy.open(port);
  const bus = await opening;
  expect(await bus.check?.()).toEqual({ ok: true });
  proxy.cut();
  const away = { ok: false, message: 'Not connected to NATS; reconnecting.' };
  await expect.poll(() => bus.check?.(), { interval: 10 }).toEqual(away);
  expect(await kit.metrics.text()).toContain('gateway_nats_connection_events_total{event="disconnected"} 1');
  await proxy.open(port);
  await expect.poll(() => bus.check?.(), { interval: 10 }).toEqual({ ok: true });
  await bus.stop?.(1000);
  expect(bus.link.connected()).toBe(false);
});
