import { GatewayError, type Offer } from '@tallyport/contracts';
import {
  findImageProvider,
  type ImageCall,
  imageCalls,
  type ImageJob,
  type ImageProvider,
  type ImageResult,
  validateImageCall,
  type UpstreamRequest,
} from '@tallyport/providers';
import { basePathOf, startSimulator, type Simulator } from '@tallyport/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pixel } from '../clients/rig.ts';

/** Tests the adapters against the simulated vendors. Both follow the vendors' documentation independently. */
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ chunksPerSecond: 0 });
});
afterAll(() => simulator.close());

/** Providers with their models and the version prefix of their paths. */
const places: readonly (readonly [provider: string, models: readonly string[], version?: string])[] = [
  ['alibaba', ['qwen-image-max', 'qwen-image-2.0', 'qwen-image-edit', 'qwen-image-edit-plus', 'wan2.5-t2i-preview']],
  ['bytedance', ['seedream-4-0-250828', 'seedream-4-5-251128']],
  ['google', ['gemini-3-pro-image', 'gemini-3.1-flash-image', 'gemini-nano-banana-2.1'], '/v1beta'],
  ['google-vertex', ['gemini-3-pro-image'], '/v1'],
  ['openai', ['gpt-image-2', 'gpt-image-2.5-flare', 'gpt-image-2.6-sunburst']],
  ['openrouter', ['google/gemini-3-pro-image', 'google/gemini-3.1-flash-image']],
  ['sandbox-a', ['sandbox-image']],
  ['together', ['black-forest-labs/FLUX.1-dev']],
  ['xai', ['grok-imagine-image', 'grok-imagine-image-2.0', 'grok-2-image']],
  ['zai', ['cogview-4-250304', 'glm-image']],
];

const cases = places.flatMap(([id, models, version = '']) => models.map((model) => ({ id, model, version })));
const call: ImageCall = { operation: 'generate', prompt: 'A fox', n: 1, images: [] };
const cat = { mediaType: 'image/png', base64: pixel };
const edit: ImageCall = { ...call, operation: 'edit', images: [cat] };

const requestedSizes = ['10x10', '9999x10', '333x777', '1024x1024', '1536x1024'];
const configs = [
  { aspect_ratio: '16:9', image_size: '2K' },
  { aspect_ratio: '8:1' },
  { image_size: '0.5K' },
  { image_size: '1024x1024' },
  { seed: 2_147_483_647 },
];

/** Calls that the vendor must accept unless the adapter refuses them. */
const both = [call, edit].flatMap((each): ImageCall[] => [
  each,
  { ...each, images: each.images.flatMap((image) => [image, image, image]) },
  { ...each, quality: 'hd', style: 'vivid', user: 'user-1234', inputFidelity: 'high' as const },
  { ...each, quality: 'low', background: 'opaque' as const, outputFormat: 'jpeg' as const, outputCompression: 50 },
  { ...each, background: 'transparent' as const },
  ...requestedSizes.map((size) => ({ ...each, size })),
  ...configs.map((config) => ({ ...each, config })),
  { ...each, n: 2, config: { n: 2 } },
]);
// Large images take long to simulate, so they are tried once.
const calls: readonly ImageCall[] = [...both, { ...call, n: 5 }, { ...call, size: '4096x4096' }];

const offerOf = (providerId: string, modelName: string): Offer => ({
  providerId,
  modelName,
  pricing: {},
  stability: 'stable',
  streaming: false,
  vision: true,
  tools: false,
  parallelToolCalls: false,
  reasoning: false,
  cancellation: false,
});

interface Place {
  id: string;
  model: string;
  version: string;
}

describe.each(cases)('$id $model', (place) => {
  const provider = findImageProvider(place.id)!;
  const offer = offerOf(place.id, place.model);
  const abilities = provider.abilities(offer);
  const accepted = calls.filter((each) => validateImageCall(each, abilities, offer).length === 0);

  test('accepts every call and returns the requested number of images', async () => {
    expect(accepted.length).toBeGreaterThan(5);
    for (const each of accepted) {
      const made: ImageResult[] = [];
      for (const one of imageCalls(each, abilities)) made.push(await makeImages(one, provider, place));
      expect({ each, images: made.flatMap(({ images }) => images).length }).toEqual({ each, images: each.n });
    }
  });

  test('reports a content policy refusal', async () => {
    const offending = { ...(abilities.editsOnly === true ? edit : call), prompt: 'A [safety] fox' };
    await expect(makeImages(offending, provider, place)).rejects.toMatchObject({
      code: 'content_policy_violation',
      domain: 'policy',
      status: 400,
    });
  });
});

async function makeImages(one: ImageCall, provider: ImageProvider, place: Place): Promise<ImageResult> {
  const offer = offerOf(place.id, place.model);
  let answer: ImageResult | ImageJob = { kind: 'waiting', next: provider.request(one, offer), afterMs: 0 };
  for (let polls = 0; answer.kind === 'waiting'; polls += 1) {
    expect(polls).toBeLessThan(10);
    answer = provider.response(await send(answer.next, provider, place), { call: one, offer });
  }
  return answer;
}

async function send(request: UpstreamRequest, provider: ImageProvider, place: Place): Promise<unknown> {
  const { baseUrl, path } = addressOf(provider, place);
  const own = path?.(request.path, offerOf(place.id, place.model)) ?? request.path;
  const keys = { authorization: 'Bearer key', 'x-goog-api-key': 'key' };
  const response = await fetch(baseUrl + own, {
    method: request.method,
    headers: { ...request.headers, ...keys },
    ...(request.method === 'POST' && { body: request.body }),
  });
  const body: unknown = await response.json();
  if (response.ok) return body;
  throw provider.error(response.status, Object.fromEntries(response.headers), body);
}

function addressOf(provider: ImageProvider, { id, version }: Place) {
  // All vendors of the sandbox share one address.
  const baseUrl = provider.auth.kind === 'none' ? simulator.url : simulator.url + basePathOf(id) + version;
  const setting = (name: string) => (name.endsWith('_PROJECT') ? 'project' : undefined);
  const address = provider.address?.({ baseUrl, setting }) ?? { baseUrl };
  if ('missing' in address) throw new GatewayError('internal_error', address.missing);
  return address;
}
