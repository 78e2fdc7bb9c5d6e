import type { ContentPiece } from '@tallyport/serving';

/** A file in base64, of which only the type and the size are kept. */
export const base64Piece = (mediaType: string, base64: string): ContentPiece => ({
  kind: 'file',
  mediaType,
  bytes: Buffer.byteLength(base64, 'base64'),
});

/** A file by its URL. Of a file elsewhere not even the address is kept, because it may be a secret. */
export function urlPiece(url: string): ContentPiece {
  const [, mediaType] = /^data:([^;,]{0,100})/i.exec(url) ?? [];
  return mediaType === undefined ? { kind: 'file' } : base64Piece(mediaType, url.slice(url.indexOf(',') + 1));
}
