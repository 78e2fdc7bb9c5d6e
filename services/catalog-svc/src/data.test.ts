import { join } from 'node:path';
import type { Model, Offer } from '@switchyard/contracts';
import { findChatProvider, findImageProvider } from '@switchyard/providers';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCatalogue } from './build-catalogue.ts';
import type { DataFile } from './data-file.ts';
import { gatherIngredients } from './ingredients.ts';
import { readDataFiles } from './read-data.ts';

/** What vendors had announced by the day this catalogue is built for. */
const announced = {
  deactivated: [
    'claude-3-7-sonnet',
    'claude-opus-4-1',
    'claude-sonnet-4',
    'gemini-2.0-flash',
    'gemini-2.5-flash-image',
    'gemini-3-pro-preview',
    'gpt-4.1-nano',
    'o4-mini',
  ],
  deprecated: [
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
    'o3',
  ],
  // The two image models are gone at their vendor under these names only.
  preview: [
    'gemini-3-flash-preview',
    'gemini-3-pro-image-preview',
    'gemini-3.1-flash-image-preview',
    'gemini-3.1-pro-preview',
  ],
};

describe('the data files', () => {
  let files: DataFile[];
  let models: Model[];

  beforeAll(async () => {
    files = await readDataFiles(join(import.meta.dirname, 'data'));
    models = buildCatalogue(gatherIngredients(files), {
      sandbox: false,
      now: Date.parse('2026-11-20T00:00:00Z'),
    }).models;
  });

  it('lose no model and no offer on their way into the catalogue', () => {
    const written = files.filter(({ simulated }) => !simulated).flatMap((file) => file.models);
    expect(written.length).toBeGreaterThanOrEqual(107);
    expect(models.map(({ id, offers }) => [id, offers.map(({ providerId }) => providerId)])).toEqual(
      written.map(({ id, offers }) => [id, offers.map(({ provider }) => provider)]),
    );
  });

  it('name registered providers only', () => {
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

  it('name replacements that are there and last longer', () => {
    const byId = new Map(models.map((model) => [model.id, model]));
    const replaced = models.filter(({ replacement }) => replacement !== undefined);
    const gone = replaced.filter(({ replacement = '' }) => byId.get(replacement)?.stability === 'deactivated');
    expect(replaced.filter(({ replacement = '' }) => !byId.has(replacement))).toEqual([]);
    expect(gone).toEqual([]);
  });

  it('have a price for every offer that is not served by a machine of your own', () => {
    const isPriced = ({ pricing }: Offer) => 'image' in pricing || ('prompt' in pricing && 'completion' in pricing);
    const unpriced = models.flatMap(({ offers }) => offers).filter((offer) => !isPriced(offer));
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

  it('offer images at providers that have an adapter for them, which takes images where the offer says so', () => {
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

/** `undefined` where there is no adapter. */
function takesImages(offer: Offer): boolean | undefined {
  const provider = findImageProvider(offer.providerId);
  return provider && provider.abilities(offer).inputs !== undefined;
}
