import { afterEach, describe, expect, it } from 'vitest';
import type { Catalogue, Model } from '@tallyport/contracts';
import { type CatalogOptions, type OpenedCatalog, openCatalog } from '../testing/open-catalog.ts';

const price = (value: string) => `models:
  gpt-5.5:
    offers:
      openai: { pricing: { prompt: "${value}" } }
`;

const modelIn = ({ models }: Catalogue, id: string): Model | undefined => models.find((model) => model.id === id);
const priceIn = (catalogue: Catalogue) => modelIn(catalogue, 'gpt-5.5')?.offers[0]?.pricing['prompt'];

describe('tallyport.yaml', () => {
  const opened: OpenedCatalog[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.stop();
  });
  const open = async (options: CatalogOptions) => {
    const catalog = await openCatalog(options);
    opened.push(catalog);
    return catalog;
  };

  it('is in force from the start, with its own providers', async () => {
    const { client } = await open({
      text: `${price('0.7')}  my-model: { offers: { vllm-own: { model: m } } }
providers:
  vllm-own: { baseUrl: "http://127.0.0.1:8000/v1", needsKey: false, priority: 0.5 }
`,
    });
    const catalogue = await client.snapshot({});
    expect(priceIn(catalogue)).toBe('0.7');
    expect(modelIn(catalogue, 'my-model')?.offers).toMatchObject([{ providerId: 'vllm-own', priority: 0.5 }]);
    expect(catalogue.providers).toEqual([
      { id: 'vllm-own', baseUrl: 'http://127.0.0.1:8000/v1', keyVariable: 'VLLM_OWN', needsKey: false },
    ]);
  });

  it('has routes for all accounts, which are part of the catalogue', async () => {
    const route = 'routes:\n  fast: { targets: [{ model: gpt-5.5 }] }\n';
    const { client, write } = await open({ text: route });
    const targets = [{ model: 'gpt-5.5', weight: 1 }];
    const before = await client.snapshot({});
    expect(before.routes).toEqual({ fast: { targets, then: [], when: [], onContentFilter: 'stop' } });
    await write('');
    await expect.poll(async () => (await client.snapshot({})).routes).toBeUndefined();
    expect((await client.snapshot({ known: before.version })).version).not.toBe(before.version);
  });

  it('is read again when it changes, and the change is announced', async () => {
    const { client, write } = await open({ text: price('0.7') });
    const told: string[] = [];
    client.catalogueChanged.subscribe(({ version }) => told.push(version));
    await write(price('0.08'));
    await expect.poll(async () => priceIn(await client.snapshot({}))).toBe('0.08');
    expect(told).toEqual([(await client.snapshot({})).version]);
  });

  it('keeps the previous version while the new one is invalid', async () => {
    const { client, metrics, write } = await open({ text: price('0.7') });
    const isRefused = async () => /^gateway_catalogue_file_refused 1$/m.test(await metrics.text());
    await write(`${price('0.08')}oops: 1\n`);
    await expect.poll(isRefused).toBe(true);
    expect(priceIn(await client.snapshot({}))).toBe('0.7');
    await write(price('0.009'));
    await expect.poll(async () => priceIn(await client.snapshot({}))).toBe('0.009');
    await expect.poll(isRefused).toBe(false);
  });

  it('stops the start if it is invalid, naming line and member', async () => {
    await expect(openCatalog({ text: 'models:\n  gpt-5.5:\n    nmae: x\n' })).rejects.toThrow(
      /tallyport\.yaml:3: models\.gpt-5\.5\.nmae: is not a known member\.$/,
    );
  });
});
