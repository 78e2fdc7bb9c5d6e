import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Target } from '../targets/targets.ts';
import { createModelLister } from './model-lister.ts';

describe('the model list of a server', () => {
  const limits = { deadlineMs: 20_000, maxBytes: 1_000, mostModels: 2 };
  const lister = createModelLister(limits);
  const hasty = createModelLister({ ...limits, deadlineMs: 100 });
  let server: Server;
  let target: Target;
  let answer: { status?: number; body: string } | 'silence';
  let seen: unknown[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push([request.method, request.url, request.headers['authorization']]);
      if (answer !== 'silence') response.writeHead(answer.status ?? 200).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    target = { origin: `http://127.0.0.1:${port}`, pathPrefix: '/v1', headers: { authorization: 'Bearer k' } };
  });
  beforeEach(() => void (seen = []));
  afterAll(async () => {
    await Promise.all([lister.close(), hasty.close()]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const listing = (data: unknown) => ({ body: JSON.stringify({ object: 'list', data }) });

  it("is requested with the server's key and sorted by name", async () => {
    answer = listing([
      { id: 'b', max_model_len: 4096 },
      { id: 'a', created: 1_700_000_000, context_length: '1' },
    ]);
    expect(await lister.list(target)).toEqual([
      { name: 'a', created: 1_700_000_000 },
      { name: 'b', contextLength: 4096 },
    ]);
    expect(seen).toEqual([['GET', '/v1/models', 'Bearer k']]);
  });

  it.each<[string, unknown, string[]]>([
    ['more than there may be', [{ id: 'c' }, { id: 'b' }, { id: 'a' }], ['a', 'b']],
    ['one of them twice', [{ id: 'a' }, { id: 'a' }], ['a']],
    ['invalid names', [{ id: 'two words' }, { id: '' }, { id: 7 }, null, {}, { id: 'x'.repeat(151) }], []],
    ['a name of 150 characters', [{ id: 'x'.repeat(150) }], ['x'.repeat(150)]],
  ])('%s', async (_name, data, names) => {
    answer = listing(data);
    expect((await lister.list(target)).map(({ name }) => name)).toEqual(names);
  });

  const padded = (bytes: number) => JSON.stringify({ data: [] }).padEnd(bytes, ' ');

  it('may have the maximum length, but no more', async () => {
    answer = { body: padded(limits.maxBytes) };
    expect(await lister.list(target)).toEqual([]);
    answer = { body: padded(limits.maxBytes + 1) };
    await expect(lister.list(target)).rejects.toThrow();
  });

  it.each<[string, typeof answer]>([
    ['a refusal', { status: 404, body: '{}' }],
    ['no JSON', { body: 'models' }],
    ['no list', { body: '{"models":[]}' }],
  ])('fails after %s', async (_name, given) => {
    answer = given;
    await expect(lister.list(target)).rejects.toThrow();
  });

  it('fails after silence until its deadline', async () => {
    answer = 'silence';
    await expect(hasty.list(target)).rejects.toThrow('within 100 ms');
  });
});
