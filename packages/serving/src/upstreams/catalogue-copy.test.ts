import { createClient, inProcessLink, serve } from '@tallyport/bus';
import { type Catalogue, GatewayError, type Model, catalogService } from '@tallyport/contracts';
import { afterEach, expect, test } from 'vitest';
import { untilPasses } from '../../../../tests/support/probe.ts';
import { createCatalogueCopy } from './catalogue-copy.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const modelEntry = (id: string): Model => ({
  id,
  name: id,
  aliases: [],
  created: 1,
  description: '',
  family: 'made-up',
  supportedParameters: [],
  inputModalities: ['text'],
  outputModalities: ['text'],
  jsonOutput: false,
  structuredOutputs: false,
  free: true,
  stability: 'stable',
  offers: [],
});

const catalogueOf = (version: string): Catalogue => ({
  version,
  models: [modelEntry(`model-${version}`)],
});

function setUp(options: { refreshMs?: number } = {}) {
  const link = inProcessLink();
  const loaded: string[] = [];
  const troubles: unknown[] = [];
  const copy = createCatalogueCopy({
    link,
    refreshMs: options.refreshMs ?? 60_000,
    unknownModels: 'refuse',
    onLoaded: ({ version }) => loaded.push(version),
    onTrouble: (error) => troubles.push(error),
  });
  cleanups.push(() => link.close(), copy.stop);
  return { link, copy, loaded, troubles };
}

function serveCatalogue(link: ReturnType<typeof inProcessLink>, snapshot: (input: object) => Catalogue) {
  return serve(link, catalogService, {
    snapshot,
    listModels: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    getModel: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    listGeminiModels: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    getGeminiModel: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    priceList: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    setOverride: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    removeOverride: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    listOverrides: () => Promise.reject(new GatewayError('unavailable', 'not here')),
  });
}

test('retries a catalog-svc that is unavailable at the start', async () => {
  const { link, copy, troubles } = setUp();
  void copy.start();
  await untilPasses(() => expect(troubles.length).toBeGreaterThan(0));
  expect(copy.present()).toBe(false);
  expect(() => copy.index()).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterMs: 1_000 }));
  await serveCatalogue(link, () => catalogueOf('1'));
  await untilPasses(() => expect(copy.present()).toBe(true));
  expect(copy.index().find('model-1')).toBeDefined();
});

test('has the catalogue once `start` resolves', async () => {
  const { link, copy } = setUp();
  await serveCatalogue(link, () => catalogueOf('1'));
  await copy.start();
  expect(copy.index().version).toBe('1');
});

test('fetches at once when a change is announced', async () => {
  const { link, copy, loaded } = setUp();
  let version = '1';
  await serveCatalogue(link, () => catalogueOf(version));
  await copy.start();
  version = '2';
  createClient(link, catalogService).catalogueChanged.publish({ version });
  await untilPasses(() => expect(loaded).toEqual(['1', '2']));
  expect(copy.index().find('model-2')).toBeDefined();
});

test('checks periodically without announcements, and does not load an unchanged catalogue again', async () => {
  const { link, copy, loaded } = setUp({ refreshMs: 5 });
  let version = '1';
  let requests = 0;
  await serveCatalogue(link, () => {
    requests += 1;
    return catalogueOf(version);
  });
  await copy.start();
  await untilPasses(() => expect(requests).toBeGreaterThan(2));
  version = '2';
  await untilPasses(() => expect(loaded).toEqual(['1', '2']));
});

test('does not transfer a version that it has', async () => {
  const { link, copy } = setUp({ refreshMs: 5 });
  const requests: object[] = [];
  await serveCatalogue(link, (input) => {
    requests.push(input);
    return requests.length === 1 ? catalogueOf('1') : { version: '1', models: [] };
  });
  await copy.start();
  await untilPasses(() => expect(requests.length).toBeGreaterThan(2));
  expect(requests.slice(0, 3)).toEqual([{}, { known: '1' }, { known: '1' }]);
  expect(copy.index().find('model-1')).toBeDefined();
});

test('changes at the date of the catalogue by itself, and learns of the date after that', async () => {
  const { link, copy, loaded } = setUp();
  const soon = new Date(Date.now() + 300);
  const later = new Date(soon.getTime() + 100);
  const changeTo = (version: string, at: Date) => ({ at: at.toISOString(), version, models: [modelEntry('model-1')] });
  const first = { ...catalogueOf('1'), next: changeTo('2', soon) };
  const second = { version: '2', models: [], next: changeTo('3', later) };
  const listener = await serveCatalogue(link, (input) => ('known' in input && input.known === '2' ? second : first));
  await copy.start();
  expect(copy.index().version).toBe('1');
  await untilPasses(() => expect(copy.index().version).toBe('2'));
  expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime());
  createClient(link, catalogService).catalogueChanged.publish({ version: '2' });
  await untilPasses(() => expect(copy.index().version).toBe('3'));
  expect([loaded, copy.index().find('model-1')]).toEqual([['1', '2', '3'], modelEntry('model-1')]);
  await listener.drain(0);
});

test('keeps the last copy while catalog-svc is unavailable', async () => {
  const { link, copy, troubles } = setUp({ refreshMs: 5 });
  const listener = await serveCatalogue(link, () => catalogueOf('1'));
  await copy.start();
  await listener.drain(0);
  await untilPasses(() => expect(troubles.length).toBeGreaterThan(0));
  expect(copy.index().version).toBe('1');
});
