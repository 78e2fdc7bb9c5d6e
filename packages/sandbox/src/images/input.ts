import { contentHash } from '../content-hash.ts';

/** An image from a client: the fingerprint of its bytes or of its URL. */
export interface SourceImage {
  readonly fingerprint: string;
  readonly characters: number;
}

/** `undefined` if it is neither an image in a data URL nor a URL. */
export function inputImageOf(url: unknown): SourceImage | undefined {
  if (typeof url !== 'string') return undefined;
  if (/^https?:\/\/[^/]/.test(url)) return { fingerprint: contentHash(url), characters: url.length };
  const comma = url.indexOf(',');
  const declared = /^data:image\/(png|jpe?g|webp|gif);base64$/.test(url.slice(0, Math.max(comma, 0)));
  const bytes = declared ? Buffer.from(url.slice(comma + 1), 'base64') : undefined;
  return bytes === undefined || formatOf(bytes) === undefined
    ? undefined
    : { fingerprint: contentHash(bytes), characters: url.length };
}

const beginnings: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['png', /^89504e470d0a1a0a/],
  ['jpeg', /^ffd8ff/],
  ['webp', /^52494646.{8}57454250/],
  ['gif', /^47494638/],
];

/** The format according to the first bytes. */
export function formatOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('hex', 0, 12);
  return beginnings.find(([, pattern]) => pattern.test(start))?.[0];
}
