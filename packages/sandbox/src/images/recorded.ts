import { readFileSync } from 'node:fs';
import { contentHash } from '../content-hash.ts';
import type { PictureSpec } from './picture.ts';
import { pixelCount, type PictureSize } from './size.ts';

type RecordedFormat = 'jpeg' | 'webp';

const common: readonly PictureSize[] = [
  { width: 1024, height: 1024 },
  { width: 1536, height: 1024 },
  { width: 1024, height: 1536 },
];

const recordedSizes: Readonly<Record<RecordedFormat, readonly PictureSize[]>> = {
  jpeg: [
    ...common,
    { width: 1360, height: 768 },
    { width: 768, height: 1360 },
    { width: 1920, height: 1920 },
    { width: 2048, height: 2048 },
  ],
  webp: common,
};

const subjects = ['dawn', 'dusk'] as const;

/** The place for the hash in a sample's description. */
const placeholder = '0'.repeat(40);

/**
 * A sample of the nearest size. The hash of `about` is written into it, so that different images have different bytes.
 */
export function recordedPicture({ about, ...wanted }: PictureSpec, format: RecordedFormat): Buffer {
  const { width, height } = nearestRecordedSize(wanted, format);
  const name = contentHash(about);
  const subject = subjects[Number.parseInt(name.slice(0, 8), 16) % subjects.length];
  const sample = readFileSync(new URL(`data/${subject}-${width}x${height}.${format}`, import.meta.url));
  sample.write(name, sample.indexOf(placeholder), 'latin1');
  return sample;
}

/** The nearest ratio, then the nearest number of pixels. */
export function nearestRecordedSize(wanted: PictureSize, format: RecordedFormat): PictureSize {
  const distances = recordedSizes[format].map((size) => ({ size, distance: distanceOf(size, wanted) }));
  return distances.reduce((best, other) => (other.distance < best.distance ? other : best)).size;
}

const distanceOf = (one: PictureSize, other: PictureSize): number =>
  10 * Math.abs(Math.log(one.width / one.height / (other.width / other.height))) +
  Math.abs(Math.log(pixelCount(one) / pixelCount(other)));
