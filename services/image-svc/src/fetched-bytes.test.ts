import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startImageBench } from './testing/image-bench.ts';
import { pictureBytes } from './testing/pictures.ts';

const mebibyte = 1024 * 1024;

test('counts an image behind a URL before it is read, and refuses it before anything is paid', async () => {
  const png = await pictureBytes('png');
  const withheld: (() => void)[] = [];
  const pictures = createServer(({ url }, response) => {
    const image = url === '/picture' ? png : Buffer.concat([png, Buffer.alloc(mebibyte / 2)]);
    response.writeHead(200, { 'content-length': String(image.length) }).write(image.subarray(0, 1));
    const end = () => response.end(image.subarray(1));
    if (url === '/waits') withheld.push(end);
    else end();
  });
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
  const bench = await startImageBench({
    environment: {
      ALLOW_LOCAL_TARGETS: 'true',
      IMAGE_MAX_INFLIGHT_BYTES: String(mebibyte),
      IMAGE_EXPECTED_BYTES: '0',
    },
  });
  onTestFinished(async () => {
    pictures.closeAllConnections();
    pictures.close();
    await bench.close();
  });
  const edit = (path: string) =>
    bench.edit({ model: 'gemini-2.5-flash-image', prompt: 'a lamp', images: [{ image_url: base + path }] });
  const waiting = edit('/waits');
  await expect.poll(() => withheld.length).toBe(1);
  expect(await edit('/large')).toMatchObject({ status: 529, error: { code: 'overloaded' } });
  expect(bench.simulator.requests).toEqual([]);
  expect(await edit('/picture')).toMatchObject({ status: 200 });
  withheld.pop()?.();
  await waiting;
  await expect.poll(() => bench.metrics()).toContain('gateway_image_bytes_held 0\n');
});
