import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { type Relay, runConformance, startRelay } from '../support/conformance.ts';
import { partOf } from '../support/scale.ts';

/** The scenarios of the official suite that need no special tools; the others are in the tests of mcp-svc. */
describe('the official conformance suite, through edge', () => {
  let gateway: Gateway;
  let relay: Relay;
  beforeAll(async () => {
    gateway = await startGateway({ LIMIT_MCP_PER_MINUTE: '100000' });
    relay = await startRelay(gateway.baseUrl, () => ({ authorization: `Bearer ${gateway.apiKey}` }));
  });
  afterAll(async () => {
    relay?.close();
    await gateway?.stop();
  });

  const scenarios = [
    ['server-initialize', '2025-06-18'],
    ['server-initialize', '2025-11-25'],
    ['ping', '2025-11-25'],
    ['tools-list', '2025-06-18'],
    ['tools-list', '2025-11-25'],
    ['tools-list', '2026-07-28'],
    ['dns-rebinding-protection', '2025-11-25'],
    ['dns-rebinding-protection', '2026-07-28'],
    ['http-header-validation', '2026-07-28'],
  ] as const;

  test.each(partOf(scenarios, { one: 2 }))('%s in %s', async (scenario, revision) => {
    const { passed, failed } = await runConformance({ url: relay.url, scenario, revision });
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThan(0);
  });

  // The failures of these two need diagnostic tools, prompts and resources, which we do not have.
  test('server-stateless in 2026-07-28, except for diagnostic tools', async () => {
    const result = await runConformance({ url: relay.url, scenario: 'server-stateless', revision: '2026-07-28' });
    expect(result.failed).toEqual([
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-missing-capability-http-400',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-rejects-undeclared-capability',
    ]);
    expect(result.passed).toBeGreaterThan(15);
  });

  test('caching in 2026-07-28, except for prompts and resources', async () => {
    const result = await runConformance({ url: relay.url, scenario: 'caching', revision: '2026-07-28' });
    expect(result.failed).toEqual([
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ]);
    expect(result.passed).toBeGreaterThan(0);
  });
});
