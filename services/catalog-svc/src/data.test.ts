import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Model, type Offer, ownModalityOf } from '@tallyport/contracts';
import { findChatProvider, findImageProvider } from '@tallyport/providers';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCatalogue } from './build-catalogue.ts';
import type { DataFile, TierRules } from './data-file.ts';
import { gatherIngredients } from './ingredients.ts';
import { readDataFiles, readTierRules } from './read-data.ts';

/** What vendors had announced by the date of this catalogue. */
const announced = {
  deactivated: [
    'claude-3-7-sonnet',
    'claude-opus-4-1',
    'claude-sonnet-4',
    'gemini-2.0-flash',
    'gemini-2.5-flash-image',
    'gemini-3-pro-preview',
    'gpt-4.1-nano',
    'gpt-image-1',
    'o4-mini',
  ],
  deprecated: [
    'claude-opus-4-5',
    'claude-sonnet-4-5',
    'gemini-2.5-flash',
    'gemini-2.5-pro',
    'gemini-3.1-flash-lite',
    'gpt-4.1',
    'gpt-4.1-mini',
    'gpt-4o',
    'gpt-4o-mini',
    'gpt-5',
    'gpt-5-mini',
    'gpt-5-nano',
    'gpt-5.1',
    'gpt-5.4-nano',
    'gpt-image-1.5',
    'grok-imagine-image-quality',
    'o3',
  ],
  // The vendor withdrew the two image models under these names only.
  preview: [
    'gemini-3-flash-preview',
    'gemini-3-pro-image-preview',
    'gemini-3.1-flash-image-preview',
    'gemini-3.1-pro-preview',
  ],
};

describe('the data files', () => {
  let files: DataFile[];
  let rules: TierRules;
  let models: Model[];

  beforeAll(async () => {
    files = await readDataFiles(join(import.meta.dirname, 'data'));
    rules = await readTierRules(join(import.meta.dirname, 'data'));
    models = buildCatalogue(gatherIngredients(files, rules), {
      sandbox: false,
      now: Date.parse('2026-11-26T00:00:00Z'),
    }).models;
  });

  it('lose no model or offer on their way into the catalogue', () => {
    const written = files
      .filter(({ simulated }) => !simulated)
      .flatMap((file) => file.models)
      .filter(({ endpoint }) => endpoint === undefined);
    expect(written.length).toBeGreaterThanOrEqual(450);
    expect(models.map(({ id, offers }) => [id, offers.map(({ providerId }) => providerId)])).toEqual(
      written.map(({ id, offers }) => [id, offers.map(({ provider }) => provider)]),
    );
  });

  it('price service tiers by their provider, except where a model differs', () => {
    expect(Object.keys(rules).filter((provider) => findChatProvider(provider) === undefined)).toEqual([]);
    const tiersOf = (id: string, provider: string) =>
      models.find((model) => model.id === id)?.offers.find(({ providerId }) => providerId === provider)?.tiers;
    const half = { factor: '0.5' };
    expect([tiersOf('gpt-5.6-luna', 'openai'), tiersOf('gpt-5.5', 'openai'), tiersOf('gpt-6-astra', 'openai')]).toEqual(
      [
        { batch: half, flex: half, fast: { factor: '2' }, priority: { factor: '2' } },
        { batch: half, flex: half, fast: { factor: '2.5' }, priority: { factor: '2.5' } },
        { batch: half, flex: half, fast: { factor: '2' }, priority: { factor: '2' }, ultrafast: { factor: '6' } },
      ],
    );
    expect([tiersOf('claude-opus-5-5', 'anthropic'), tiersOf('claude-sonnet-5-5', 'anthropic')]).toEqual([
      { batch: half, fast: { factor: '2' } },
      { batch: half },
    ]);
    expect(tiersOf('gemini-3.5-flash', 'google')).toEqual({ batch: half, flex: half, priority: { factor: '1.8' } });
    expect([tiersOf('gpt-5.2', 'azure'), tiersOf('gpt-5.5', 'azure'), tiersOf('deepseek-v4-pro', 'azure')]).toEqual([
      { batch: half, priority: { factor: '2' } },
      { batch: half, priority: { factor: '2.5' } },
      undefined,
    ]);
  });

  it('price a snapshot in each service tier as the model that it is of', () => {
    const offers = models.flatMap((model) => model.offers).filter(({ providerId }) => providerId === 'openai');
    const differing = offers.filter((snapshot) => {
      const name = snapshot.modelName.replace(/-\d{4}-\d\d-\d\d$/, '');
      const whole = offers.find(({ modelName }) => modelName === name);
      const isAtItsPrice = whole?.pricing['prompt'] === snapshot.pricing['prompt'];
      return isAtItsPrice && JSON.stringify(whole?.tiers) !== JSON.stringify(snapshot.tiers);
    });
    expect(differing.map(({ modelName }) => modelName)).toEqual([]);
  });

  it('name the source and date of every offer that was gathered individually', () => {
    const offers = files.flatMap(({ models: those }) => those.flatMap((model) => model.offers));
    const gathered = offers.filter(({ source, asOf }) => source !== undefined && asOf !== undefined);
    expect(offers.filter(({ source, asOf }) => (source === undefined) !== (asOf === undefined))).toEqual([]);
    expect(gathered.length).toBeGreaterThanOrEqual(500);
  });

  it("include every available model named in OpenAI's SDK", async () => {
    const types = await readFile(new URL('resources/shared.d.ts', import.meta.resolve('openai')), 'utf8');
    const [, union = ''] = /export type ChatModel = ([^;]*);/.exec(types) ?? [];
    const named = [...union.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
    const written = files.flatMap(({ models: those }) => those.flatMap(({ id, aliases }) => [id, ...aliases]));
    expect(named.length).toBeGreaterThanOrEqual(90);
    expect(named.filter((name) => !written.includes(name) && !retiredAtOpenAi.test(name))).toEqual([]);
  });

  it.each(['created', 'contextLength'] as const)('have %s for every chat model', (member) => {
    const chats = models.filter(({ outputModalities }) => /text|audio/.test(outputModalities.join()));
    expect(chats.filter((model) => (model[member] ?? 0) <= 0).map(({ id }) => id)).toEqual([]);
  });

  it('name only registered providers', () => {
    const named = new Set(models.flatMap(({ offers }) => offers.map(({ providerId }) => providerId)));
    expect([...named].filter((id) => findChatProvider(id) === undefined)).toEqual([]);
  });

  it.each(Object.entries(announced))('agree with the vendors about what is %s', (stability, ids) => {
    const those = models.filter((model) => model.stability === stability).map(({ id }) => id);
    expect(ids.filter((id) => !those.includes(id))).toEqual([]);
  });

  it.each([
    ['gemini-3-pro-image-preview', 'gemini-3-pro-image'],
    ['gemini-3.1-flash-image-preview', 'gemini-3.1-flash-image'],
  ])("keep %s usable under the vendor's new name", (id, name) => {
    const preview = models.find((model) => model.id === id);
    expect(preview?.deactivatedAt).toBe(undefined);
    expect(preview?.offers.map(({ providerId, modelName }) => [providerId, modelName])).toEqual([
      ['google', name],
      ['openrouter', `google/${name}`],
    ]);
    expect(models.some((model) => model.id === name)).toBe(true);
  });

  it('name replacements that exist and last longer', () => {
    const byId = new Map(models.map((model) => [model.id, model]));
    const replaced = models.filter(({ replacement }) => replacement !== undefined);
    const gone = replaced.filter(({ replacement = '' }) => byId.get(replacement)?.stability === 'deactivated');
    expect(replaced.filter(({ replacement = '' }) => !byId.has(replacement))).toEqual([]);
    expect(gone).toEqual([]);
  });

  it('have a price for every offer that is not self-hosted', () => {
    const isPriced = ({ outputModalities: made }: Model, { pricing }: Offer) =>
      'image' in pricing ||
      'character' in pricing ||
      'minute' in pricing ||
      'search' in pricing ||
      ('prompt' in pricing && ('completion' in pricing || ownModalityOf(made) !== undefined));
    const unpriced = models.flatMap((model) => model.offers.filter((offer) => !isPriced(model, offer)));
    expect(new Set(unpriced.map(({ providerId }) => providerId))).toEqual(new Set(['ollama']));
  });

  it.each([
    ['alibaba', ['qwen-image', 'qwen-image-max', 'qwen-image-plus'], false],
    ['zai', ['cogview-4', 'glm-image'], false],
    ['bytedance', ['seedream-4-0', 'seedream-4-5'], true],
    ['google', ['gemini-3-pro-image-preview', 'gemini-3.1-flash-image-preview'], true],
  ])('have the image models of %s, priced by the image', (provider, ids, vision) => {
    const found = models.filter(({ id }) => ids.includes(id)).toSorted((left, right) => (left.id < right.id ? -1 : 1));
    const facts = found.map(({ id, outputModalities, inputModalities, offers: [offer] }) => ({
      id,
      provider: offer?.providerId,
      makes: outputModalities.includes('image'),
      sees: inputModalities.includes('image'),
      vision: offer?.vision,
      priced: 'image' in (offer?.pricing ?? {}),
    }));
    expect(facts).toEqual(ids.map((id) => ({ id, provider, makes: true, sees: vision, vision, priced: true })));
  });

  it.each([
    ['openai', 'gpt-image-2', { prompt: 5, image_input: 8, completion: 30, image_output: 30 }],
    ['openai', 'gpt-image-2.6-sunburst', { prompt: 5, image_input: 8, completion: 30, image_output: 30 }],
    ['openai', 'gpt-image-1.5', { prompt: 5, image_input: 8, completion: 10, image_output: 32 }],
    ['azure', 'gpt-image-2', { prompt: 5, image_input: 8, completion: 30, image_output: undefined }],
    ['azure', 'gpt-image-1.5', { prompt: 5, image_input: 8, completion: 32, image_output: undefined }],
    ['google', 'gemini-2.5-flash-image', { completion: 2.5, image_output: 30 }],
    ['google', 'gemini-3-pro-image', { completion: 12, image_output: 120 }],
    ['google', 'gemini-3.1-flash-image', { completion: 3, image_output: 60 }],
    ['google', 'gemini-nano-banana-2.1', { completion: 7.5, image_output: 30 }],
    ['openrouter', 'gemini-2.5-flash-image', { completion: 2.5, image_output: 30 }],
    ['openrouter', 'gemini-3-pro-image', { completion: 12, image_output: 120 }],
    ['openrouter', 'gemini-3.1-flash-image', { completion: 3, image_output: 60 }],
  ])('of %s, %s has its prices of text and images per million tokens', (providerId, id, prices) => {
    const offers = models.find((model) => model.id === id)?.offers ?? [];
    const pricing: Offer['pricing'] = offers.find((offer) => offer.providerId === providerId)?.pricing ?? {};
    const perMillion = (price: string | undefined) =>
      price === undefined ? undefined : Math.round(+price * 1e8) / 100;
    const found = Object.keys(prices).map((kind) => [kind, perMillion(pricing[kind])]);
    expect(Object.fromEntries(found)).toEqual(prices);
  });

  it('offer images only at providers with an image adapter, which accepts images if the offer says so', () => {
    const makers = models.filter(({ outputModalities }) => outputModalities.includes('image'));
    const told = makers.flatMap(({ offers }) => offers).map((offer) => ({ offer, takes: offer.vision }));
    const adapted = told.map(({ offer }) => ({ offer, takes: takesImages(offer) }));
    expect(adapted).toEqual(told);
  });

  it('have one offer per model and provider', () => {
    const doubled = models.filter(
      ({ offers }) => new Set(offers.map(({ providerId }) => providerId)).size < offers.length,
    );
    expect(doubled).toEqual([]);
  });
});

/**
 * Shut down before these facts were gathered, except `gpt-5.1-mini`, which never was a model, and one audio snapshot.
 */
const retiredAtOpenAi =
  /^(gpt-3\.5|gpt-4-|o1-(mini|preview)|gpt-4o-(mini-)?(audio|search)|gpt-5\.[123]-chat-latest$|gpt-5\.1-mini$|gpt-audio-mini-2|chatgpt-4o|codex-mini)/;

/** `undefined` without an adapter. */
function takesImages(offer: Offer): boolean | undefined {
  const provider = findImageProvider(offer.providerId);
  return provider && provider.abilities(offer).inputs !== undefined;
}
