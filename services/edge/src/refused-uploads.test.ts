import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { partOf } from '../../../tests/support/scale.ts';
import { type GatedEdge, openGatedEdge } from './testing/gated-edge.ts';
import { uploadClients, type UploadJob } from './testing/upload-clients.ts';

const tries = 6;
const mebibyte = 1024 ** 2;
const json = { 'content-type': 'application/json' };
const key = { 'x-api-key': 'a-key' };

type Route = Pick<UploadJob, 'method' | 'headers'> & { path: string };

const post = (path: string, headers: Record<string, string> = {}): Route => ({ path, method: 'POST', headers });
const routes: [string, number, Route][] = [
  ['a chat without a key', 401, post('/v1/chat/completions', json)],
  ['an image without a key', 401, post('/v1/images/edits', json)],
  ['a message without a key', 401, post('/v1/messages', json)],
  ['a chat that wants its connection closed', 401, post('/v1/chat/completions', { ...json, connection: 'close' })],
  ['a tool call without a key', 401, post('/mcp')],
  ['a tool call beyond the limit', 413, post('/mcp', key)],
  ['another method of /mcp', 405, { ...post('/mcp'), method: 'PUT' }],
  ['an unknown address', 404, post('/v1/nothing')],
  ['another method', 405, post('/v1/models')],
  ['an operation of the management API', 413, post('/api/v1/keys', json)],
  ['a page of auth-svc', 413, post('/sign-in')],
  ['a token request', 413, post('/oauth/token')],
  ['a page of the dashboard', 413, post('/dashboard/acc/keys')],
  ['the reference', 405, post('/docs')],
  ['an unsupported type', 415, post('/v1/chat/completions', { ...key, 'content-type': 'text/plain' })],
  ['a chat beyond the rate limit', 429, post('/v1/chat/completions', { ...json, 'x-api-key': 'spent' })],
];

/** Clients lost the response of half of such requests or more when edge closed the connection at once. */
describe('a refusal before the body is read arrives', () => {
  let edge: GatedEdge;
  let origin: string;
  let clients: Worker;
  beforeAll(async () => {
    const bounds = {
      MAX_BODY_BYTES: String(mebibyte),
      MAX_INFLIGHT_BYTES: String(4 * mebibyte),
      MCP_MAX_BODY_BYTES: '2048',
    };
    // On a busy machine, this thread of clients may not run for more than a second.
    edge = await openGatedEdge(bounds, { connections: 256, bytes: 64 * mebibyte, ms: 30_000 });
    origin = `http://127.0.0.1:${edge.port}`;
    clients = new Worker(new URL('testing/upload-clients.ts', import.meta.url));
  });
  afterAll(async () => {
    await clients.terminate();
    await edge.stop();
  });

  /** Uses the only chat a minute of this key. */
  beforeEach(async () => {
    const headers = { ...json, 'x-api-key': 'spent' };
    await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body: '{}' });
  });

  async function outcomes({ path, ...route }: Route, how: Pick<UploadJob, 'client' | 'bytes' | 'tries'>) {
    const job: UploadJob = { ...route, ...how, url: origin + path };
    clients.postMessage(job);
    const [seen] = await once(clients, 'message');
    return seen;
  }

  const every = [...(Object.keys(uploadClients) as UploadJob['client'][]).entries()];
  describe.each(every.map(([from, client]) => [client, from] as const))('%s', (client, from) => {
    test.each(partOf(routes, { one: 3, from }))('%s: %i', async (_what, status, route) => {
      const seen = await outcomes(route, { client, bytes: 100_000, tries });
      expect(seen).toEqual(Array(tries).fill(String(status)));
    });

    test('a chat that its service refuses before it has the whole body: 529', async () => {
      const refused = post('/v1/chat/completions', { ...json, 'x-api-key': 'refused' });
      const status = client === 'fetch with a form' ? '415' : '529';
      const seen = await outcomes(refused, { client, bytes: 1_000_000, tries });
      expect(seen).toEqual(Array(tries).fill(status));
    });

    test.each([
      ['without a key', 401, json],
      ['beyond the limit', 413, { ...json, ...key }],
    ])('60 MB %s', async (_what, status, headers) => {
      const path = client === 'fetch with a form' ? '/v1/images/edits' : '/v1/chat/completions';
      // A body of this size costs up to a second.
      const seen = await outcomes(post(path, headers), { client, bytes: 60_000_000, tries: 1 });
      expect(seen).toEqual([String(status)]);
    });
  });
});
