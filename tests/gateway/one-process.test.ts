import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lintExposition, promtoolComplaints } from './exposition-lint.ts';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { gatewaySuite } from './gateway.suite.ts';
import { socketsSuite } from './sockets.suite.ts';
import { type OneProcess, startOneProcess } from './one-process.ts';

// Processes: the program of `npm start` is what is tested, with its embedded database.

describe('all services in one process', () => {
  let running: OneProcess;
  beforeAll(async () => {
    running = await startOneProcess(forgetfulRouting);
  });
  afterAll(async () => {
    expect(await running.stop()).toBe(0);
  });

  gatewaySuite(() => running);
  socketsSuite(() => running);

  test('shows the same key at the second start', async () => {
    const first = await startOneProcess({ DATA_DIR: `${running.directory}/second` });
    expect(await first.stop()).toBe(0);
    const second = await startOneProcess({ DATA_DIR: `${running.directory}/second` });
    expect(second.apiKey).toBe(first.apiKey);
    expect(second.apiKey).toMatch(/^sk-tp-[0-9A-Za-z]{38}$/);
    expect(await second.stop()).toBe(0);
  });

  test('does not print a key set by the operator', async () => {
    const key = `chosen-${'0123456789abcdef'.repeat(2)}`;
    const gateway = await startOneProcess({ BOOTSTRAP_API_KEY: key });
    const { status } = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect([status, gateway.apiKey]).toEqual([200, '$BOOTSTRAP_API_KEY']);
    expect(await gateway.stop()).toBe(0);
    expect(gateway.output()).not.toContain(key);
  });

  test('an invalid value stops the start and is named', async () => {
    await expect(startOneProcess({ PORT: 'many' })).rejects.toThrow('PORT');
  });

  test('counts served requests in metrics', async () => {
    const text = await (await fetch(`${running.adminUrl}/metrics`)).text();
    expect(text).toMatch(
      /gateway_http_requests_total\{route="\/v1\/chat\/completions",method="POST",status_class="2xx"\} \d+/,
    );
    expect(text).toContain('gateway_provider_attempts_total');
  });

  test('metrics follow the conventions of Prometheus', async () => {
    const text = await (await fetch(`${running.adminUrl}/metrics`)).text();
    expect(lintExposition(text)).toEqual([]);
    expect(promtoolComplaints(text) ?? []).toEqual([]);
  });
});
