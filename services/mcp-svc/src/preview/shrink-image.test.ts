import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { imageOfBase64 } from './image-block.ts';
import { maxPreviewCharacters, shrinkImage } from './shrink-image.ts';

/** An image of noise, which does not compress. */
async function noise(edge: number) {
  const raw = Buffer.alloc(edge * edge * 3);
  for (let index = 0; index < raw.length; index++) raw[index] = (index * 2_654_435_761) >>> (index % 13);
  const png = await sharp(raw, { raw: { width: edge, height: edge, channels: 3 } })
    .png()
    .toBuffer();
  return imageOfBase64(png.toString('base64'));
}

describe('a preview image', () => {
  test('is the image itself if it is small', async () => {
    const image = await noise(64);
    expect(await shrinkImage(image)).toBe(image);
  });

  test('is a smaller copy of a large image, in the same shape', async () => {
    const image = await noise(1500);
    expect(image.data.length).toBeGreaterThan(maxPreviewCharacters);
    const preview = await shrinkImage(image);
    expect(preview?.mimeType).toBe('image/jpeg');
    expect(preview?.data.length).toBeLessThanOrEqual(maxPreviewCharacters);
    const { width, height, format } = await sharp(Buffer.from(preview?.data ?? '', 'base64')).metadata();
    expect([width === height, format]).toEqual([true, 'jpeg']);
  });

  test('is missing for data that is not an image', async () => {
    const broken = imageOfBase64(`iVBORw0KGgo${'A'.repeat(maxPreviewCharacters)}`);
    expect(await shrinkImage(broken)).toBeUndefined();
  });
});
