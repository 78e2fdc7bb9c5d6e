import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { Rig } from '../clients/rig.ts';
import { formatOf } from './image-bytes.ts';

/** Images that a vendor returns as a URL: a failed download must not make the image again. */
export function resultsSuite(rig: () => Rig): void {
  const defaultHeaders = { 'x-no-fallback': 'true' };

  const generate = (prompt: string, members: { model?: string; n?: number } = {}) => {
    const { baseUrl, apiKey } = rig().gateway;
    const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0, defaultHeaders });
    return client.images.generate({ model: 'alibaba/qwen-image-2.0', prompt, ...members });
  };

  const formats = ({ data = [] }: OpenAI.ImagesResponse) =>
    data.map(({ b64_json: base64 = '' }) => formatOf(Buffer.from(base64, 'base64')));

  /** The number of calls that made an image, and of downloads. */
  const requestCounts = () => {
    // catalog-svc may list the models of a provider at any time.
    const requests = rig().simulator.requests.filter(({ path }) => !path.endsWith('/models'));
    const downloads = requests.filter(({ method }) => method === 'GET').length;
    return { made: requests.length - downloads, downloads };
  };

  describe('a result', () => {
    test('is downloaded at once, also through redirects', async () => {
      expect(formats(await generate('A fox [redirects:2]'))).toEqual(['png']);
      expect(requestCounts()).toEqual({ made: 1, downloads: 3 });
    });

    test.each(['status:503', 'reset', 'cut:100'])('is downloaded again after a failure (%s)', async (fault) => {
      rig().simulator.faults.set({ model: 'result', fault, times: 1 });
      expect(formats(await generate('A fox'))).toEqual(['png']);
      expect(requestCounts()).toEqual({ made: 1, downloads: 2 });
    });

    test('that has expired is an error, and no image is made again', async () => {
      await expect(generate('A fox [expired]')).rejects.toMatchObject({ status: 502, type: 'upstream_error' });
      expect(requestCounts().made).toBe(1);
    });

    test('behind too many redirects is an error', async () => {
      await expect(generate('A fox [redirects:9]')).rejects.toMatchObject({ status: 502 });
      expect(requestCounts().made).toBe(1);
    });
  });

  describe('of several', () => {
    test.each([
      ['alibaba/qwen-image-2.0', 2],
      ['xai/grok-imagine-image', 2],
    ])('%s: leaves out images that the vendor failed to make', async (model, count) => {
      expect(formats(await generate('A fox [partial]', { model, n: 3 }))).toHaveLength(count);
    });
  });
}
