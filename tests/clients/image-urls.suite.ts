import OpenAI, { BadRequestError } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImageServer, startImageServer } from '../../packages/dispatch/src/inline/testing/image-server.ts';
import { families } from './families.ts';
import { pixel, type Rig } from './rig.ts';

/**
 * Image URLs for a vendor that does not fetch them: the gateway fetches the image, and reports a bad URL to the client.
 */
export function imageUrlsSuite(rig: () => Rig): void {
  let pictures: ImageServer;
  beforeAll(async () => {
    pictures = await startImageServer((_request, response) => response.end(Buffer.from(pixel, 'base64')));
  });
  afterAll(() => pictures?.close());

  const model = families.find(({ path }) => path.startsWith('/google'))?.name ?? '';

  function ask(...urls: string[]) {
    const { baseUrl, apiKey } = rig().gateway;
    const images = urls.map((url) => ({ type: 'image_url' as const, image_url: { url } }));
    const content = [{ type: 'text' as const, text: 'What is it?' }, ...images];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content }];
    return new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 }).chat.completions.create({ model, messages });
  }

  test('fetches an image once and sends its bytes', async () => {
    await ask(`${pictures.url}/cat`, `${pictures.url}/cat`);
    expect(pictures.requestedPaths).toEqual(['/cat']);
    const sent = rig().simulator.requests.at(-1)?.body ?? '';
    expect(sent.split(pixel)).toHaveLength(3);
    expect(sent).not.toContain(pictures.url);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:10.0.0.1]/',
    'http://127.0.0.1:1/',
    'ftp://example.com/cat.png',
  ])('refuses %s and names the content part', async (url) => {
    const failure: unknown = await ask(`${pictures.url}/cat`, url).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BadRequestError);
    expect(failure).toMatchObject({ code: 'invalid_parameters', param: 'messages[0].content[2]' });
  });
}
