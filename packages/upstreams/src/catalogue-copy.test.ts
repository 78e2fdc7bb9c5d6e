import { createClient, inProcessLink, serve } from '@switchyard/bus';
import { type Catalogue, GatewayError, type Model, catalogService } from '@switchyard/contracts';
import { afterEach, expect, test, vi } from 'vitest';
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
    onLoaded: ({ version }) => loaded.push(version),
    onTrouble: (error) => troubles.push(error),
  });
  cleanups.push(() => link.close(), copy.stop);
  return { link, copy, loaded, troubles };
}

function serveCatalogue(link: ReturnType<typeof inProcessLink>, snapshot: () => Catalogue) {
  return serve(link, catalogService, {
    snapshot,
    listModels: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    getModel: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    setOverride: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    removeOverride: () => Promise.reject(new GatewayError('unavailable', 'not here')),
    listOverrides: () => Promise.reject(new GatewayError('unavailable', 'not here')),
  });
}

test('away at the start: asked again until it is there', async () => {
  const { link, copy, troubles } = setUp();
  void copy.start();
  await vi.waitFor(() => expect(troubles.length).toBeGreaterThan(0));
  expect(copy.present()).toBe(false);
  expect(() => copy.index()).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterMs: 1_000 }));
  await serveCatalogue(link, () => catalogueOf('1'));
  await vi.waitFor(() => expect(copy.present()).toBe(true), 2_000);
  expect(copy.index().find('model-1')).toBeDefined();
});

test('there at the start: loaded when start returns', async () => {
  const { link, copy } = setUp();
  await serveCatalogue(link, () => catalogueOf('1'));
  await copy.start();
  expect(copy.index().version).toBe('1');
});

test('told of a change it fetches at once', async () => {
  const { link, copy, loaded } = setUp();
  let version = '1';
  await serveCatalogue(link, () => catalogueOf(version));
  await copy.start();
  version = '2';
  createClient(link, catalogService).catalogueChanged.publish({ version });
  await vi.waitFor(() => expect(loaded).toEqual(['1', '2']));
  expect(copy.index().find('model-2')).toBeDefined();
});

test('not told it looks by itself, and an unchanged catalogue is not loaded again', async () => {
  const { link, copy, loaded } = setUp({ refreshMs: 5 });
  let version = '1';
  let asked = 0;
  await serveCatalogue(link, () => {
    asked += 1;
    return catalogueOf(version);
  });
  await copy.start();
  await vi.waitFor(() => expect(asked).toBeGreaterThan(2));
  version = '2';
  await vi.waitFor(() => expect(loaded).toEqual(['1', '2']));
});

test('away later: the last one stays', async () => {
  const { link, copy, troubles } = setUp({ refreshMs: 5 });
  const listener = await serveCatalogue(link, () => catalogueOf('1'));
  await copy.start();
  await listener.drain(0);
  await vi.waitFor(() => expect(troubles.length).toBeGreaterThan(0));
  expect(copy.index().version).toBe('1');
});
