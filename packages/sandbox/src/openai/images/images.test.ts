import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox.ts';
import type { Simulator } from '../../simulation.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSandbox({ chunksPerSecond: 0 });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.close());

const imagesOf = (provider: string) =>
  new OpenAI({ baseURL: simulator.baseUrl(provider), apiKey: 'any', maxRetries: 0 }).images;

const bytesOf = (image?: OpenAI.Image) => Buffer.from(image?.b64_json ?? '', 'base64');

/** The size in the PNG header. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe('the sandbox', () => {
  const model = 'sandbox-image';

  test('makes any size, revises prompts and pads images to exact bytes on request', async () => {
    const prompt = 'A fox [revised] [bytes:2500000]';
    const { data = [] } = await imagesOf('sandbox-a').generate({ model, prompt, size: '640x352' as '1024x1024' });
    expect(data.map(bytesOf).map((image) => [image.length, ...sizeOf(image)])).toEqual([[2_500_000, 640, 352]]);
    expect(data[0]?.revised_prompt).toBe(`A simulated image: ${prompt}`);
  });

  test('makes a different image at every provider', async () => {
    const [one, other] = await Promise.all(
      ['sandbox-a', 'sandbox-b'].map((provider) => imagesOf(provider).generate({ model, prompt: 'A fox' })),
    );
    expect(one?.data).not.toEqual(other?.data);
  });

  test('says which background an image has', async () => {
    const backgrounds = ['transparent', 'opaque', undefined] as const;
    const made = backgrounds.map((background) =>
      imagesOf('sandbox-a').generate({ model, prompt: 'A fox', ...(background && { background }) }),
    );
    expect((await Promise.all(made)).map(({ background }) => background)).toEqual(['transparent', 'opaque', 'opaque']);
  });

  test('applies image faults and directives', async () => {
    simulator.faults.set({ provider: 'sandbox-b', fault: 'status:503', times: 1 });
    const asked = imagesOf('sandbox-b').generate({ model, prompt: 'A fox' });
    await expect(asked).rejects.toMatchObject({ status: 503, code: 'overloaded' });
    expect(simulator.requests.at(-1)).not.toHaveProperty('images');
  });
});
