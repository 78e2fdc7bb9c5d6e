import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { generatedSize, makeImage } from './image.ts';
import { formatOf } from './input.ts';

const spec = { about: 'A fox in the snow', width: 100, height: 60 };

/** The type and content of every chunk. Only the consistency of lengths is checked. */
function chunksOf(png: Buffer): [type: string, content: Buffer][] {
  const chunks: [string, Buffer][] = [];
  for (let place = 8; place < png.length;) {
    const length = png.readUInt32BE(place);
    chunks.push([png.toString('latin1', place + 4, place + 8), png.subarray(place + 8, place + 8 + length)]);
    place += length + 12;
  }
  return chunks;
}

describe('a generated image', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('%s depends only on the specification', (format) => {
    const image = makeImage({ ...spec, format });
    expect(formatOf(image)).toBe(format);
    expect(makeImage({ ...spec, format })).toEqual(image);
    expect(makeImage({ ...spec, about: 'A dog', format })).not.toEqual(image);
  });

  test('PNG has the declared number of rows and pixels', () => {
    const chunks = chunksOf(makeImage({ ...spec, format: 'png' }));
    expect(chunks.map(([type]) => type)).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
    expect(inflateSync(chunks[2]?.[1] ?? '')).toHaveLength(60 * (100 + 1));
  });

  test('PNG can have transparent dark areas', () => {
    const chunks = chunksOf(makeImage({ ...spec, format: 'png', transparent: true }));
    expect(chunks.map(([type]) => type)).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
  });

  test.each([
    ['png', [1000, 333], [1000, 333]],
    ['jpeg', [1920, 1920], [1920, 1920]],
    ['jpeg', [4096, 4096], [2048, 2048]],
    ['jpeg', [1600, 900], [1360, 768]],
    ['webp', [600, 900], [1024, 1536]],
  ] as const)('%s of %j has size %j', (format, [width, height], made) => {
    expect(Object.values(generatedSize({ width, height }, format))).toEqual(made);
  });

  test.each([
    ['png', 50_000, '49454e44ae426082'],
    ['png', 1024 * 1024 + 5, '49454e44ae426082'],
    ['png', 3 * 1024 * 1024, '49454e44ae426082'],
    ['jpeg', 50_000, 'ffd9'],
    ['jpeg', 65_600, 'ffd9'],
    ['jpeg', 3_000_001, 'ffd9'],
  ] as const)('%s of exactly %i bytes', (format, bytes, ending) => {
    const image = makeImage({ ...spec, format, bytes });
    expect(image).toHaveLength(bytes);
    expect(formatOf(image)).toBe(format);
    expect(image.toString('hex', bytes - 8).endsWith(ending)).toBe(true);
  });
});
