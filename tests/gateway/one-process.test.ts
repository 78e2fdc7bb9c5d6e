import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lintExposition, promtoolComplaints } from './exposition-lint.ts';
import { forgetfulRouting } from '../../packages/upstreams/src/testing/index.ts';
import { gatewaySuite } from './gateway.suite.ts';
import { type OneProcess, startOneProcess } from './one-process.ts';

describe('all services in one process', () => {
  let running: OneProcess;
  beforeAll(async () => {
    running = await startOneProcess(forgetfulRouting);
  });
  afterAll(async () => {
    expect(await running.stop()).toBe(0);
  });

  gatewaySuite(() => running);

  test('the key of the first start is shown again at the next, and the second start is quick', async () => {
    const first = await startOneProcess({ DATA_DIR: `${running.directory}/second` });
    expect(await first.stop()).toBe(0);
    const startedAt = performance.now();
    const second = await startOneProcess({ DATA_DIR: `${running.directory}/second` });
    const tookMs = performance.now() - startedAt;
    expect(second.apiKey).toBe(first.apiKey);
    expect(second.apiKey).toMatch(/^sk-sy-[0-9A-Za-z]{38}$/);
    expect(await second.stop()).toBe(0);
    // The goal is 3 s; a busy test machine may take a little longer.
    expect(tookMs).toBeLessThan(6_000);
  });

  test('a data directory in use and a taken port are told in one sentence', async () => {
    await expect(startOneProcess({ DATA_DIR: running.directory })).rejects.toThrow(/in use|used by/);
    const port = new URL(running.baseUrl).port;
    await expect(startOneProcess({ PORT: port })).rejects.toThrow(`Port ${port} is taken`);
  });

  test('a value that is wrong stops the start and is named', async () => {
    await expect(startOneProcess({ PORT: 'many' })).rejects.toThrow('PORT');
  });

  test('metrics count what was served', async () => {
    const text = await (await fetch(`${running.adminUrl}/metrics`)).text();
    expect(text).toMatch(
      /gateway_http_requests_total\{route="\/v1\/chat\/completions",method="POST",status_class="2xx"\} \d+/,
    );
    expect(text).toContain('gateway_provider_attempts_total');
  });

  test('metrics are as Prometheus wants them', async () => {
    const text = await (await fetch(`${running.adminUrl}/metrics`)).text();
    expect(lintExposition(text)).toEqual([]);
    expect(promtoolComplaints(text) ?? []).toEqual([]);
  });
});
