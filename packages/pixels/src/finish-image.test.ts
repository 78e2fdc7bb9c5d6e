import { fromBase64, toBase64 } from '@tallyport/dispatch';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { finishImage } from './finish-image.ts';
import { createPixels } from './pixels.ts';
import type { TypedImage } from './typed-image.ts';

const pixels = createPixels({ maxPixels: 2 ** 20 });
const { signal } = new AbortController();

const typed = async (image: Sharp, type: TypedImage['type'] = 'image/png'): Promise<TypedImage> => ({
  type,
  base64: await toBase64([await image.toBuffer()]),
});

/** Three stripes: red, green and blue. */
const stripes = (width: number, height: number) => {
  const colours = ['#ff0000', '#00ff00', '#0000ff'];
  const stripe = (background: string) => ({ create: { width: width / 3, height, channels: 3 as const, background } });
  return sharp({ create: { width, height, channels: 3, background: '#000000' } }).composite(
    colours.map((colour, at) => ({ input: stripe(colour), left: (at * width) / 3, top: 0 })),
  );
};

async function finished(image: TypedImage, size: string) {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const done = await finishImage(image, { pixels, requested: { width, height }, signal });
  const raw = sharp(await fromBase64(done.base64)).raw();
  const { data, info } = await raw.toBuffer({ resolveWithObject: true });
  const middle = info.channels * (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2));
  const corners = [0, info.channels * (info.width - 1), middle].map((at) => [...data.subarray(at, at + 3)]);
  return { type: done.type, pixels: `${info.width}x${info.height}`, colours: corners };
}

test('keeps the middle of an image with another ratio', async () => {
  const image = await typed(stripes(90, 30).png());
  const green = [0, 255, 0];
  expect(await finished(image, '30x30')).toEqual({
    type: 'image/png',
    pixels: '30x30',
    colours: [green, green, green],
  });
  expect(await finished(image, '60x60')).toMatchObject({ pixels: '60x60', colours: [green, green, green] });
});

test('only scales an image with the same ratio, in its own format', async () => {
  const image = await typed(stripes(90, 30).webp({ lossless: true }), 'image/webp');
  const { colours, ...rest } = await finished(image, '180x60');
  expect(rest).toEqual({ type: 'image/webp', pixels: '180x60' });
  expect(colours.map((colour) => colour.indexOf(Math.max(...colour)))).toEqual([0, 2, 1]);
});

test('crops an image as it is displayed, if its bytes are turned', async () => {
  const turned = await typed(stripes(90, 30).jpeg({ quality: 100 }).withMetadata({ orientation: 6 }), 'image/jpeg');
  const { pixels: size, colours } = await finished(turned, '30x30');
  expect([size, colours.map((colour) => colour.indexOf(Math.max(...colour)))]).toEqual(['30x30', [1, 1, 1]]);
});

test('does not enlarge an image beyond the pixels that the server accepts', async () => {
  const image = await typed(stripes(90, 30).png());
  expect(await finished(image, '1024x1024')).toMatchObject({ pixels: '1024x1024' });
  expect(await finished(image, '1025x1024')).toMatchObject({ pixels: '90x30' });
});
