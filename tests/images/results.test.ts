import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Rig, startRig } from '../clients/rig.ts';
import { imageEnvironment } from './image-families.ts';
import { formatOf } from './looking.ts';

/** Images that wait behind an address: paid for once, whatever becomes of the download. */
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ further: imageEnvironment });
});
afterEach(() => rig.simulator.reset());
afterAll(() => rig?.stop());

const defaultHeaders = { 'x-no-fallback': 'true' };

const generate = (prompt: string, members: { model?: string; n?: number } = {}) => {
  const { baseUrl, apiKey } = rig.gateway;
  const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0, defaultHeaders });
  return client.images.generate({ model: 'alibaba/qwen-image-2.0', prompt, ...members });
};

const formats = ({ data = [] }: OpenAI.ImagesResponse) =>
  data.map(({ b64_json: base64 = '' }) => formatOf(Buffer.from(base64, 'base64')));

/** How often it was asked to make something, and how often for what it had made. */
const asked = () => {
  const downloads = rig.simulator.requests.filter(({ method }) => method === 'GET').length;
  return { made: rig.simulator.requests.length - downloads, downloads };
};

describe('a result', () => {
  test('is taken at once, through redirects where its host sends them', async () => {
    expect(formats(await generate('A fox [redirects:2]'))).toEqual(['png']);
    expect(asked()).toEqual({ made: 1, downloads: 3 });
  });

  test.each(['status:503', 'reset', 'cut:100'])('whose storage stumbles (%s) is asked for again', async (fault) => {
    rig.simulator.faults.set({ model: 'result', fault, times: 1 });
    expect(formats(await generate('A fox'))).toEqual(['png']);
    expect(asked()).toEqual({ made: 1, downloads: 2 });
  });

  test('that has expired is an error, and nothing is made again', async () => {
    await expect(generate('A fox [expired]')).rejects.toMatchObject({ status: 502, type: 'upstream_error' });
    expect(asked().made).toBe(1);
  });

  test('behind too many redirects is an error', async () => {
    await expect(generate('A fox [redirects:9]')).rejects.toMatchObject({ status: 502 });
    expect(asked().made).toBe(1);
  });
});

describe('of several', () => {
  test.each([
    ['alibaba/qwen-image-2.0', 2],
    ['xai/grok-imagine-image', 2],
  ])('%s: what its vendor failed to make is left out', async (model, count) => {
    expect(formats(await generate('A fox [partial]', { model, n: 3 }))).toHaveLength(count);
  });
});
