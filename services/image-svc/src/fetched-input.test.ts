import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ImageBench, startImageBench } from './testing/image-bench.ts';
import { bombOf, pictureBytes } from './testing/pictures.ts';

let bench: ImageBench;
let pictures: Server;
let base: string;
let fetched: string[] = [];
beforeAll(async () => {
  bench = await startImageBench({
    environment: {
      ALLOW_LOCAL_TARGETS: 'true',
      IMAGE_URL_MAX_BYTES: '65536',
      IMAGE_URL_TIMEOUT_MS: '400',
      IMAGE_MAX_PIXELS: '1000000',
    },
  });
  const png = await pictureBytes('png');
  pictures = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://pictures');
    fetched.push(pathname);
    if (pathname === '/private') response.writeHead(302, { location: 'https://10.0.0.1/a.png' }).end();
    else if (pathname === '/round') response.writeHead(302, { location: '/round' }).end();
    else if (pathname === '/endless') writeEndlessly(response.writeHead(200), png);
    else if (pathname === '/silent') response.writeHead(200).write(png.subarray(0, 20));
    else if (pathname === '/boasting') response.writeHead(200, { 'content-length': '999999999' }).write(png);
    else if (pathname === '/page') response.writeHead(200, { 'content-type': 'image/png' }).end('<html>');
    else if (pathname === '/bomb') response.writeHead(200).end(bombOf(2_000));
    else if (pathname === '/broken-off') response.writeHead(200).end(png.subarray(0, -20));
    else if (pathname === '/gone') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end(png);
  });
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
});
afterEach(() => {
  fetched = [];
  bench.simulator.reset();
});
afterAll(async () => {
  pictures.closeAllConnections();
  pictures.close();
  await bench.close();
});

interface Writer {
  write(bytes: Buffer): unknown;
  once(event: 'close', listener: () => void): unknown;
}

function writeEndlessly(response: Writer, png: Buffer): void {
  const timer = setInterval(() => response.write(Buffer.concat([png, Buffer.alloc(8_192)])), 1);
  response.once('close', () => clearInterval(timer));
}

/** Its vendor accepts no URLs. */
const model = 'gemini-2.5-flash-image';
const edit = (...urls: string[]) =>
  bench.edit({ model, prompt: 'a lamp', images: urls.map((url) => ({ image_url: url })) });

test('sends an image behind a URL to the vendor unchanged, labelled by its bytes', async () => {
  const { status } = await edit(`${base}/picture`, `${base}/picture`);
  const [received] = bench.simulator.requests;
  const data = (await pictureBytes('png')).toString('base64');
  const part = { inlineData: { mimeType: 'image/png', data } };
  expect(status).toBe(200);
  expect(JSON.parse(received?.body ?? '').contents[0].parts).toEqual([part, part, { text: 'a lamp' }]);
  expect(fetched).toEqual(['/picture']);
});

test.each([
  ['/private', 'must be at a public address'],
  ['/round', 'redirected more than 3 times'],
  ['/endless', 'larger than 65536 bytes'],
  ['/silent', 'in time'],
  ['/boasting', 'larger than 65536 bytes'],
  ['/page', 'is not a PNG, JPEG, GIF or WebP image'],
  ['/bomb', 'has 2000x2000 pixels; this server accepts at most 1000000'],
  ['/broken-off', 'is truncated or damaged'],
  ['/gone', 'returned status 404'],
])('%s is an error of the client', async (path, reason) => {
  const { error } = await edit(`${base}/picture`, base + path);
  expect(error).toMatchObject({
    status: 400,
    code: 'invalid_parameters',
    param: 'images[1].image_url',
    message: expect.stringContaining(reason),
  });
  expect(bench.simulator.requests).toEqual([]);
});
