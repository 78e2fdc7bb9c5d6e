import type { ContentBlock } from '../tool.ts';

export type ImageBlock = Extract<ContentBlock, { type: 'image' }>;

const dataUrl = /^data:[^;,]*;base64,/;

/** Enough of an image to detect its type. */
const sniffedCharacters = 24;

/** Reads an image from a data URL; `undefined` for any other URL. */
export function imageOfDataUrl(url: string): ImageBlock | undefined {
  const [head] = dataUrl.exec(url.slice(0, 100)) ?? [];
  return head === undefined ? undefined : imageOfBase64(url.slice(head.length));
}

/** The MIME type is detected from the bytes, whatever the source claims. */
export const imageOfBase64 = (data: string): ImageBlock => ({ type: 'image', data, mimeType: mimeTypeOf(data) });

function mimeTypeOf(base64: string): string {
  const start = Buffer.from(base64.slice(0, sniffedCharacters), 'base64').toString('latin1');
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image/webp';
  if (/^ftyp(avif|avis)/.test(start.slice(4))) return 'image/avif';
  return 'image/png';
}
