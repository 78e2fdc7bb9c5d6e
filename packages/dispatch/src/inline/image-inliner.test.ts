import type { LookupAddress } from 'node:dns';
import type { RequestListener } from 'node:http';
import { GatewayError } from '@tallyport/contracts';
import type { ChatRequest } from '@tallyport/wire';
import { afterEach, describe, expect, test } from 'vitest';
import { createImageFetcher, type ImageUrlSettings } from './image-fetcher.ts';
import { createImageInliner, type ImageTaker } from './image-inliner.ts';
import { type ImageServer, sampleImages, startImageServer } from './testing/image-server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const taker = (images: 'url' | 'inline', limits: Partial<ImageTaker['imageLimits']> = {}): ImageTaker => ({
  id: 'vendor',
  images,
  imageLimits: {
    count: 8,
    bytes: 1_000,
    totalBytes: 2_000,
    mediaTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    ...limits,
  },
});
const inline = taker('inline');
const never = new AbortController().signal;

const showing = (...urls: string[]): ChatRequest => ({
  model: 'm',
  messages: [
    { role: 'system', content: 'Look.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        ...urls.map((url) => ({ type: 'image_url' as const, image_url: { url, detail: 'low' } })),
      ],
    },
  ],
});
const urlsIn = ({ messages }: ChatRequest): string[] =>
  messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : [])) : [],
  );
const dataUrl = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;

/** Serves `/png`, `/jpeg` … by path; the test answers all other paths. */
const images: RequestListener = (request, response) => {
  const name = (request.url ?? '').slice(1) as keyof typeof sampleImages;
  if (name in sampleImages) response.writeHead(200, { 'content-type': 'text/plain' }).end(sampleImages[name]);
  else response.writeHead(404).end();
};

async function setUp(answer: RequestListener = images, settings: Partial<ImageUrlSettings> = {}) {
  const server = await startImageServer(answer);
  const inliner = createImageInliner(createImageFetcher({ allowLocal: true, ...settings }));
  cleanups.push(
    () => inliner.close(),
    () => server.close(),
  );
  const prepare = async (request: ChatRequest, at: ImageTaker = inline, signal: AbortSignal = never) =>
    inliner.prepare(request, at, { signal });
  /** The error that the client gets for one image. */
  const refusal = async (url: string, at: ImageTaker = inline): Promise<string> => {
    const thrown: unknown = await prepare(showing(url), at).catch((error: unknown) => error);
    if (!(thrown instanceof GatewayError)) throw new Error('It was not refused.', { cause: thrown });
    expect(thrown).toMatchObject({ code: 'invalid_parameters', status: 400, domain: 'caller' });
    expect(thrown.param).toBe('messages[1].content[1]');
    return thrown.message;
  };
  return { server, inliner, prepare, refusal };
}

describe('fetched images', () => {
  test.each(['png', 'jpeg', 'gif', 'webp'] as const)(
    '%s, detected from its bytes whatever its label says',
    async (name) => {
      const { server, prepare } = await setUp();
      const request = showing(`${server.url}/${name}`);
      const before = structuredClone(request);
      const made = await prepare(request);
      expect(made).toEqual(showing(dataUrl(`image/${name}`, sampleImages[name])));
      expect(request).toEqual(before);
      expect(made.messages[0]).toBe(request.messages[0]);
    },
  );

  test('are fetched once per request, however often they occur and are tried', async () => {
    const { server, prepare } = await setUp();
    const request = showing(`${server.url}/png`, `${server.url}/png`, `${server.url}/gif`);
    await prepare(request);
    await prepare(request, taker('inline', { bytes: 500 }));
    expect(server.requestedPaths.toSorted()).toEqual(['/gif', '/png']);
    await prepare(structuredClone(request));
    expect(server.requestedPaths).toHaveLength(4);
  });

  test('include the images of an earlier answer', async () => {
    const { server, prepare } = await setUp();
    const image = (url: string) => ({ type: 'image_url' as const, image_url: { url } });
    const said = (url: string): ChatRequest => ({
      model: 'm',
      messages: [{ role: 'assistant', content: '', images: [image(url)] }],
    });
    expect(await prepare(said(`${server.url}/png`))).toEqual(said(dataUrl('image/png', sampleImages.png)));
  });

  test('are fetched through three redirects, but not a fourth', async () => {
    const { server, prepare, refusal } = await setUp((request, response) => {
      const left = Number((request.url ?? '').slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end();
      else response.end(sampleImages.png);
    });
    expect(urlsIn(await prepare(showing(`${server.url}/3`)))).toEqual([dataUrl('image/png', sampleImages.png)]);
    expect(await refusal(`${server.url}/4`)).toBe(
      'The image at messages[1].content[1] was redirected more than 3 times.',
    );
  });

  test('do not exceed the concurrency of one request', async () => {
    const waiting: (() => void)[] = [];
    const { server, prepare } = await setUp(
      (_request, response) => {
        waiting.push(() => response.end(sampleImages.png));
        if (waiting.length >= 2) for (const go of waiting.splice(0)) go();
      },
      { maxConcurrentPerRequest: 2 },
    );
    await prepare(showing(...[1, 2, 3, 4, 5, 6].map((at) => `${server.url}/${at}`)));
    expect(server.open.most).toBe(2);
  });

  test('do not exceed the concurrency of the process', async () => {
    const waiting: (() => void)[] = [];
    const { server, prepare } = await setUp(
      (_request, response) => {
        waiting.push(() => response.end(sampleImages.png));
        if (waiting.length >= 3) for (const go of waiting.splice(0)) go();
      },
      { maxConcurrent: 3 },
    );
    const requests = [1, 2, 3].map((each) => showing(`${server.url}/${each}a`, `${server.url}/${each}b`));
    await Promise.all(requests.map((request) => prepare(request)));
    expect(server.open.most).toBe(3);
  });
});

describe('unchanged requests', () => {
  test('a request without images is returned synchronously', async () => {
    const { inliner } = await setUp();
    const request = showing();
    expect(inliner.prepare(request, inline, { signal: never })).toBe(request);
  });

  test('URLs stay, for a vendor that fetches them itself', async () => {
    const { server, prepare } = await setUp();
    const request = showing(`${server.url}/png`, 'http://10.0.0.1/');
    expect(await prepare(request, taker('url'))).toBe(request);
    expect(server.requestedPaths).toEqual([]);
  });

  test('correctly labelled data URLs stay', async () => {
    const { prepare } = await setUp();
    const request = showing(dataUrl('image/png', sampleImages.png));
    expect(await prepare(request)).toBe(request);
  });
});

test('data URLs get the label that fits their bytes', async () => {
  const { prepare } = await setUp();
  const made = await prepare(showing(dataUrl('image/jpg', sampleImages.jpeg), dataUrl('image/png', sampleImages.gif)));
  expect(urlsIn(made)).toEqual([dataUrl('image/jpeg', sampleImages.jpeg), dataUrl('image/gif', sampleImages.gif)]);
});

describe('refusals name the part', () => {
  const at = 'The image at messages[1].content[1]';

  test('an image that cannot be fetched', async () => {
    const { server, refusal } = await setUp();
    expect(await refusal(`${server.url}/none`)).toBe(`${at} could not be fetched: its server returned status 404.`);
    expect(await refusal(`${server.url}/text`)).toBe(`${at} is not a PNG, JPEG, GIF or WebP image.`);
    expect(await refusal('http://127.0.0.1:1/')).toBe(`${at} could not be fetched.`);
    expect(await refusal('ftp://example.com/cat.png')).toBe(`${at} must have an https or data URL.`);
    expect(await refusal('data:image/png,plain')).toBe(`${at} must have an https or data URL.`);
  });

  test('an empty image', async () => {
    const { server, refusal } = await setUp((_request, response) => response.end());
    expect(await refusal(server.url)).toBe(`${at} is not a PNG, JPEG, GIF or WebP image.`);
  });

  test('an image that breaks off', async () => {
    const { server, refusal } = await setUp((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write(sampleImages.png, () => response.destroy());
    });
    expect(await refusal(server.url)).toBe(`${at} could not be fetched.`);
  });

  test('an image whose server does not answer in time', async () => {
    const silent: RequestListener = (_request, response) => void response.writeHead(200).write(sampleImages.png);
    const idle = await setUp(silent, { idleMs: 20 });
    expect(await idle.refusal(idle.server.url)).toBe(`${at} could not be fetched in time.`);
    const slow = await setUp(() => {}, { totalMs: 20 });
    expect(await slow.refusal(slow.server.url)).toBe(`${at} could not be fetched in time.`);
  });

  test.each([
    ['declared', { 'content-length': '101' }],
    ['undeclared', {}],
  ])('an image above the size limit, %s', async (_name, headers) => {
    const bytesOf = (size: number) => Buffer.concat([sampleImages.png], size);
    const { server, prepare, refusal } = await setUp(
      (request, response) => {
        const size = Number((request.url ?? '').slice(1));
        response.writeHead(200, size > 100 ? headers : {}).end(bytesOf(size));
      },
      { maxBytes: 100 },
    );
    expect(urlsIn(await prepare(showing(`${server.url}/100`)))).toEqual([dataUrl('image/png', bytesOf(100))]);
    expect(await refusal(`${server.url}/101`)).toBe(`${at} is larger than 100 bytes.`);
  });

  test('an image beyond what the provider accepts: one byte, one image or one type too many', async () => {
    const { prepare, refusal } = await setUp();
    const png = dataUrl('image/png', sampleImages.png);
    const size = sampleImages.png.length;
    const three = showing(png, png, png);
    expect(await prepare(showing(png), taker('url', { bytes: size }))).toEqual(showing(png));
    expect(await refusal(png, taker('url', { bytes: size - 1 }))).toBe(
      `${at} is larger than ${size - 1} bytes, the limit of vendor.`,
    );
    expect(await refusal(png, taker('url', { mediaTypes: ['image/jpeg', 'image/gif'] }))).toBe(
      `${at} is image/png, but vendor accepts only image/jpeg, image/gif.`,
    );
    expect(await prepare(three, taker('url', { totalBytes: 3 * size, count: 3 }))).toBe(three);
    await expect(prepare(three, taker('url', { totalBytes: 3 * size - 1 }))).rejects.toThrow(
      `The image at messages[1].content[3] brings all images above ${3 * size - 1} bytes, the limit of vendor.`,
    );
    await expect(prepare(three, taker('url', { count: 2 }))).rejects.toMatchObject({
      message: 'The image at messages[1].content[3] is one too many: vendor accepts at most 2.',
      param: 'messages[1].content[3]',
    });
  });
});

describe('host names', () => {
  /** A resolver controlled by the test. */
  const names = (addresses: Record<string, string[]>): Partial<ImageUrlSettings> => ({
    lookup: (hostname, _options, callback) => {
      const found: LookupAddress[] = (addresses[hostname] ?? []).map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
      if (found.length > 0) callback(null, found);
      else callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    },
  });
  const notPublic = 'The image at messages[1].content[1] must be at a public address.';
  const urlAt = ({ port }: ImageServer, host: string): string => `http://${host}:${port}/png`;

  test('connect to the address that was checked', async () => {
    const { server, prepare } = await setUp(images, names({ 'pictures.example': ['127.0.0.1'] }));
    expect(urlsIn(await prepare(showing(urlAt(server, 'pictures.example'))))).toEqual([
      dataUrl('image/png', sampleImages.png),
    ]);
  });

  test.each([
    ['a private address', ['10.0.0.1']],
    ['a metadata address', ['169.254.169.254']],
    ['a mapped private address', ['::ffff:10.0.0.1']],
    ['several addresses, one of them private', ['127.0.0.1', '10.0.0.1']],
  ])('that resolve to %s are refused', async (_name, addresses) => {
    const { server, refusal } = await setUp(images, names({ 'inside.example': addresses }));
    expect(await refusal(urlAt(server, 'inside.example'))).toBe(notPublic);
    expect(server.requestedPaths).toEqual([]);
  });

  test('that resolve to loopback are refused unless local addresses are allowed', async () => {
    const { refusal } = await setUp(images, { allowLocal: false, ...names({ 'here.example': ['127.0.0.1'] }) });
    expect(await refusal('https://here.example/png')).toBe(notPublic);
    expect(await refusal('https://127.0.0.1/png')).toBe(notPublic);
  });

  test('that do not resolve are refused', async () => {
    const { refusal } = await setUp(images, names({}));
    expect(await refusal('https://nowhere.example/')).toBe('The image at messages[1].content[1] could not be fetched.');
  });

  test.each(['http://10.0.0.1/', 'http://inside.example/', 'http://[::ffff:169.254.169.254]/'])(
    'a redirect to %s is refused',
    async (location) => {
      const redirect: RequestListener = (_request, response) => response.writeHead(302, { location }).end();
      const { server, refusal } = await setUp(redirect, names({ 'inside.example': ['192.168.0.1'] }));
      expect(await refusal(server.url)).toBe(notPublic);
      expect(server.requestedPaths).toHaveLength(1);
    },
  );
});

test('leaving aborts the downloads', async () => {
  const { server, prepare } = await setUp(() => {});
  const controller = new AbortController();
  const left = new GatewayError('client_closed_request', 'gone');
  const preparing = prepare(showing(`${server.url}/1`, `${server.url}/2`), inline, controller.signal);
  await expect.poll(() => server.open.now).toBe(2);
  controller.abort(left);
  await expect(preparing).rejects.toBe(left);
  await expect.poll(() => server.open.now).toBe(0);
});

test('one failed image aborts the others', async () => {
  const { server, prepare } = await setUp((request, response) => {
    if (request.url === '/bad') setImmediate(() => response.writeHead(500).end());
  });
  await expect(prepare(showing(`${server.url}/slow`, `${server.url}/bad`))).rejects.toMatchObject({
    param: 'messages[1].content[2]',
  });
  await expect.poll(() => server.open.now).toBe(0);
});
