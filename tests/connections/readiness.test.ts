import { natsLink } from '@tallyport/bus/nats';
import { createKit, createMetrics, openBus, silentLog } from '@tallyport/service-kit';
import { expect, onTestFinished, test } from 'vitest';
import { startNats } from '../support/servers.ts';

test('a process names the services that it misses, and is ready without them when they are away for all', async () => {
  const server = await startNats();
  onTestFinished(() => server.stop());
  const kit = createKit({
    name: 'chat-svc',
    config: { NATS_URL: server.url },
    log: silentLog(),
    metrics: createMetrics({ defaults: false }),
  });
  const bus = await openBus(kit);
  onTestFinished(() => bus.stop?.(1_000));
  const message = 'No replica answers of auth-svc, catalog-svc, ledger-svc, batch-svc.';
  expect(await bus.check?.()).toEqual({ ok: false, message });
  await expect.poll(() => bus.check?.()).toEqual({ ok: true, message });

  const link = await natsLink({ url: server.url, name: 'test' });
  onTestFinished(() => link.close());
  const answer = async () => ({ head: { status: 200, headers: {} }, body: Buffer.from('') });
  await link.listen({
    service: 'auth',
    version: '1.0.0',
    handlers: { guardWebhooks: answer, providerKeys: answer },
  });
  await link.listen({ service: 'catalog', version: '1.0.0', handlers: { snapshot: answer } });
  await link.listen({ service: 'ledger', version: '1.0.0', handlers: { budgetsSpent: answer } });
  await expect.poll(() => bus.check?.()).toEqual({ ok: true, message: 'No replica answers of batch-svc.' });
  await link.listen({ service: 'batch', version: '1.0.0', handlers: { fileContent: answer } });
  await expect.poll(() => bus.check?.()).toEqual({ ok: true });
});
