import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Catalogue } from '@tallyport/contracts';
import { startSimulator, type Simulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogOptions, openCatalog } from '../testing/open-catalog.ts';

describe('models that servers list themselves', () => {
  const closers: (() => Promise<unknown>)[] = [];
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });
  afterAll(() => simulator.close());

  const open = async (environment: Record<string, string>, options: CatalogOptions = {}) => {
    const catalog = await openCatalog({ ...options, environment: { MODEL_DISCOVERY_MS: '50', ...environment } });
    closers.push(catalog.stop);
    return catalog;
  };

  /** A server that lists `models`, or fails while that is a status. */
  const startServer = async (models: { now: readonly string[] | number }) => {
    let requests = 0;
    const server: Server = createServer((_request, response) => {
      requests += 1;
      const { now } = models;
      if (typeof now === 'number') response.writeHead(now).end();
      else response.end(JSON.stringify({ object: 'list', data: now.map((id) => ({ id })) }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => server.close(resolve)));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests: () => requests };
  };

  const custom = (url: string) => `providers: { own: { baseUrl: "${url}", needsKey: false } }\n`;
  const offersOf = ({ models }: Catalogue, ...providers: string[]): string[] =>
    models.flatMap(({ id, offers }) =>
      offers.filter(({ providerId }) => providers.includes(providerId)).map(({ modelName }) => `${id}: ${modelName}`),
    );

  it('appear as soon as the address of a server is set', async () => {
    const { client } = await open({
      OLLAMA_BASE_URL: simulator.baseUrl('ollama'),
      VLLM_BASE_URL: simulator.baseUrl('vllm'),
    });
    const listed = async () => offersOf(await client.snapshot({}), 'ollama', 'vllm');
    await expect
      .poll(listed)
      .toEqual(
        expect.arrayContaining([
          'llama3.2:3b: llama3.2:3b',
          'meta-llama/Llama-3.3-70B-Instruct: meta-llama/Llama-3.3-70B-Instruct',
        ]),
      );
    const { models } = await client.snapshot({});
    const embedders = models.filter(({ outputModalities }) => outputModalities.includes('embeddings'));
    const nomic = embedders.find(({ id }) => id === 'nomic-embed-text:latest');
    expect(nomic?.offers).toMatchObject([{ providerId: 'ollama', streaming: false, tools: false }]);
    expect(models.find(({ id }) => id.startsWith('meta-llama/'))).toMatchObject({
      contextLength: 32_768,
      family: 'vllm',
      offers: [{ providerId: 'vllm', pricing: {}, tools: true, streaming: true }],
    });
  });

  it('appear and disappear with their server, and stay while it fails', async () => {
    const models: { now: readonly string[] | number } = { now: ['one'] };
    const server = await startServer(models);
    const { client, write } = await open({}, { text: custom(server.url) });
    const listed = async () => offersOf(await client.snapshot({}), 'own');
    await expect.poll(listed).toEqual(['one: one']);
    models.now = ['one', 'two'];
    await expect.poll(listed).toEqual(['one: one', 'two: two']);
    models.now = 500;
    const before = server.requests();
    await expect.poll(server.requests).toBeGreaterThan(before + 1);
    expect(await listed()).toEqual(['one: one', 'two: two']);
    models.now = [];
    await expect.poll(listed).toEqual([]);
    models.now = ['three'];
    await expect.poll(listed).toEqual(['three: three']);
    await write('');
    await expect.poll(listed).toEqual([]);
  });

  it('are queried for a provider that is added at run time', async () => {
    const server = await startServer({ now: ['gpt-5.5', 'mine'] });
    const { client, write } = await open({});
    await write(custom(server.url));
    const listed = async () => offersOf(await client.snapshot({}), 'own');
    await expect.poll(listed).toEqual(['own/gpt-5.5: gpt-5.5', 'mine: mine']);
  });

  it('are not queried when discovery is disabled', async () => {
    const server = await startServer({ now: ['one'] });
    const { client } = await open({ MODEL_DISCOVERY_MS: '0' }, { text: custom(server.url) });
    expect([offersOf(await client.snapshot({}), 'own'), server.requests()]).toEqual([[], 0]);
  });
});
