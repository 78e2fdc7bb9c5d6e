import type { LookupAddress } from 'node:dns';
import { imageProviders } from '@tallyport/providers';
import { type Simulator, startSimulator } from '@tallyport/simulator';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ImageServer, sampleImages, startImageServer } from '../inline/testing/image-server.ts';
import { indexCatalogue } from '../plan/model-index.ts';
import { planImage } from '../plan/plan-image.ts';
import { createStandings } from '../standing/standings.ts';
import { readTargets } from '../targets/targets.ts';
import { forgetful } from '../testing/dispatch-bench.ts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { createImageDispatch } from './image-dispatch.ts';
import type { ImageDispatch, ImageTask } from './image-task.ts';

const modelName = 'gemini-2.5-flash-image';
/** Accepts images only within the request, so the gateway fetches them. */
const vendor = 'google';

/** The addresses of the picture server's name: one answer per lookup. */
let answers: string[] = [];
let lookedUp = 0;
let simulator: Simulator;
let pictures: ImageServer;
let dispatch: ImageDispatch;
const standings = createStandings({ settings: forgetful });

beforeAll(async () => {
  simulator = await startSimulator();
  pictures = await startImageServer((request, response) => {
    // Forces the next request to look up the name again.
    response.setHeader('connection', 'close');
    if (request.url === '/moved') response.writeHead(302, { location: '/png' }).end();
    else response.writeHead(200).end(sampleImages.png);
  });
  dispatch = createImageDispatch({
    targets: readTargets(imageProviders, () => ({ keys: ['key'], baseUrl: `${simulator.baseUrl(vendor)}/v1beta` })),
    standings,
    routing: forgetful,
    imageUrls: {
      allowLocal: true,
      lookup(_hostname, _options, callback) {
        const address = answers[lookedUp++] ?? '';
        callback(null, [{ address, family: 4 } satisfies LookupAddress]);
      },
    },
  });
});
afterEach(() => {
  lookedUp = 0;
  pictures.requestedPaths.length = 0;
  simulator.reset();
});
afterAll(async () => {
  standings.close();
  await dispatch.close();
  await pictures.close();
  await simulator.close();
});

function edit(path: string, more: Pick<ImageTask, 'holdAnswer'> = {}) {
  const index = indexCatalogue(
    catalogueOf(modelOf('painter', [offerOf(vendor, { modelName })], { outputModalities: ['image'] })),
  );
  const ground = { index, obstacle: () => undefined, standing: standings.of, settings: forgetful, maxAttempts: 3 };
  const question = { model: 'painter', editing: true, fallback: undefined };
  const plan = planImage(question, { ...ground, random: 1, now: Date.now() });
  const images = [{ url: `http://pictures.example:${pictures.port}${path}` }];
  const call = { operation: 'edit' as const, prompt: 'A hat', n: 1, images, config: {} };
  return dispatch.make({ call, plan, signal: new AbortController().signal, ...more });
}

const refused = {
  code: 'invalid_parameters',
  status: 400,
  param: 'images[0].image_url',
  message: 'The image at images[0].image_url must be at a public address.',
};

test('an image is fetched from the address that was checked, with one lookup', async () => {
  answers = ['127.0.0.1', '10.0.0.1'];
  expect((await edit('/png')).images).toHaveLength(1);
  expect([lookedUp, pictures.requestedPaths]).toEqual([1, ['/png']]);
});

test('a name that resolves to a private address the next time is refused the next time', async () => {
  answers = ['127.0.0.1', '169.254.169.254'];
  await edit('/png');
  await expect(edit('/png')).rejects.toMatchObject(refused);
  expect([lookedUp, pictures.requestedPaths, simulator.requests.length]).toEqual([2, ['/png'], 1]);
});

test('so is a redirect back to the same name', async () => {
  answers = ['127.0.0.1', '10.0.0.1'];
  await expect(edit('/moved')).rejects.toMatchObject(refused);
  expect([lookedUp, pictures.requestedPaths, simulator.requests]).toEqual([2, ['/moved'], []]);
});

test('the bytes of an answer are counted while it is read', async () => {
  answers = ['127.0.0.1'];
  let held = 0;
  const { images } = await edit('/png', { holdAnswer: (bytes) => void (held += bytes) });
  const length = images[0]?.base64.reduce((sum, slice) => sum + slice.length, 0) ?? 0;
  // A rest of less than 64 KiB is not counted.
  expect(held).toBeGreaterThan(length - 64 * 1024);
  expect(held).toBeLessThan(length + 1_000);
});
