import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { publicUrls } from '../http/public-url.ts';
import type { RelayOutcome } from '../request-context.ts';
import { type AnsweringProcess, startAnsweringProcess } from '../testing/answering-process.ts';
import { closeNow, listening } from '../testing/test-servers.ts';
import { checkTimeoutMs } from './check-replica.ts';
import { mcpForward } from './mcp-proxy.ts';
import { resume, suspend } from '../../../../tests/support/suspend.ts';

describe('a replica that hangs while the system still accepts its connections', () => {
  let replicas: AnsweringProcess[];
  let edge: Server;
  let base: string;
  let outcomes: RelayOutcome[];

  beforeEach(async () => {
    replicas = await Promise.all([startAnsweringProcess(), startAnsweringProcess()]);
    outcomes = [];
    const forward = mcpForward({
      mcpUrls: () => replicas.map(({ address }) => address),
      publicUrl: publicUrls('https://gateway.example'),
      silenceMs: 60_000,
    });
    edge = createServer(async (request, response) => {
      outcomes.push(await forward({ request, response }, { body: new Uint8Array(0), headers: {} }));
    });
    base = await listening(edge);
  });
  afterEach(() => {
    closeNow(edge);
    for (const replica of replicas) replica.process.kill('SIGKILL');
  });

  const answeredBy = async (withinMs = 10_000): Promise<number> => {
    const answer = await fetch(`${base}/mcp`, { signal: AbortSignal.timeout(withinMs) });
    return Number(await answer.text());
  };

  async function untilBothAnswer(): Promise<void> {
    const seen = new Set<number>();
    await expect.poll(async () => seen.add(await answeredBy()).size).toBe(2);
  }

  test('is skipped and used again when it recovers', async () => {
    const [hung, other] = replicas.map((replica) => replica.process);
    expect(new Set([await answeredBy(), await answeredBy()])).toEqual(new Set([hung?.pid, other?.pid]));
    await suspend(hung?.pid);
    const outcomeOf = () => answeredBy(900).catch(() => 'nothing');
    const stoppedAt = performance.now();
    let lastSentAt = stoppedAt;
    let unanswered = 0;
    for (let inARow = 0; inARow < 50;) {
      const sentAt = performance.now();
      if ((await outcomeOf()) === other?.pid) inARow++;
      else {
        lastSentAt = sentAt;
        unanswered++;
        inARow = 0;
      }
    }
    // Requests sent to the hung replica before it was detected, one at a time.
    expect(unanswered).toBeLessThanOrEqual(5);
    expect(lastSentAt - stoppedAt).toBeLessThan(10_000);
    resume(hung?.pid);
    await untilBothAnswer();
  });

  test('its pending calls end with a typed error, while slow calls of others continue', async () => {
    const [hung] = replicas.map((replica) => replica.process);
    await untilBothAnswer();
    const before = outcomes.length;
    const waiting = [fetch(`${base}/wait`), fetch(`${base}/wait`)];
    await expect.poll(() => replicas.map((replica) => replica.waiting())).toEqual([1, 1]);
    await suspend(hung?.pid);
    // A busy machine delays these rounds as it delays the checks.
    let rounds = 0;
    const counter = setInterval(() => rounds++, checkTimeoutMs);
    const first = await Promise.race(waiting).finally(() => clearInterval(counter));
    expect(await first.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32_603,
        message: 'The MCP service is not responding. Try again shortly.',
        data: { retryAfter: 1 },
      },
    });
    expect([first.status, first.headers.get('retry-after')]).toEqual([502, '1']);
    // Twenty checks.
    expect(rounds).toBeGreaterThan(16);
    expect(rounds).toBeLessThan(28);
    // The other replica's call may take as long as it needs.
    expect(outcomes.slice(before)).toMatchObject([{ status: 502, error: { code: 'unavailable' } }]);
  }, 60_000);
});
