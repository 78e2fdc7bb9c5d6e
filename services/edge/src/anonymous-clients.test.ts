import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatedEdge, openGatedEdge } from './testing/gated-edge.ts';

describe('an anonymous client', () => {
  let edge: GatedEdge;
  beforeAll(async () => {
    edge = await openGatedEdge();
  });
  afterAll(() => edge.stop());

  const health = () => fetch(`http://127.0.0.1:${edge.port}/`);

  test('triggers at most one database check per second and does not learn its address', async () => {
    edge.services.databaseError = 'connect ECONNREFUSED 10.1.2.3:5432';
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 50 }, health));
    const seconds = Math.floor((performance.now() - startedAt) / 1_000);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(await answers[0]!.json()).toEqual({
      message: 'Not reachable: database.',
      version: expect.any(String),
      health: {
        status: 'error',
        redis: { connected: true },
        database: { connected: false, error: 'database is not reachable' },
        nats: { connected: true },
        services: { connected: true },
      },
    });
    expect(edge.services.databaseChecks).toBeLessThanOrEqual(seconds + 1);
    edge.services.databaseError = undefined;
    await expect.poll(async () => (await health()).status).toBe(200);
  });

  test('is asked to retry if auth-svc does not respond', async () => {
    edge.services.gate.close();
    const answer = await fetch(`http://127.0.0.1:${edge.port}/v1/models`, {
      headers: { authorization: 'Bearer unknown' },
    });
    edge.services.gate.open();
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '1',
      {
        error: {
          message: 'Your key or session cannot be checked, because auth-svc does not respond. Try again shortly.',
          type: 'api_error',
          param: null,
          code: 'unavailable',
        },
      },
    ]);
  });

  test.each(['/', '/v1/models', '/mcp', '/sign-in', '/docs', '/nowhere'])(
    'is refused for two Host headers: %s',
    async (path) => {
      const socket = connect({ port: edge.port, host: '127.0.0.1' });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nhOsT: evil.example\r\n\r\n`);
      const answer = Buffer.concat(await socket.toArray()).toString();
      expect([answer.split('\r\n')[0], JSON.parse(answer.split('\r\n\r\n')[1]!)]).toEqual([
        'HTTP/1.1 400 Bad Request',
        {
          error: {
            message: 'The request has several Host headers. Send one.',
            type: 'invalid_request_error',
            param: null,
            code: 'invalid_parameters',
          },
        },
      ]);
    },
  );
});
