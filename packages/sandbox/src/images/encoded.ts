import { makeImage, type ImageWish } from './image.ts';

const mostCharacters = 32 * 1024 * 1024;

/** Base64 of images; the newest are kept, so that a load of large ones costs their sending only. */
export function createImageEncoder(): (wish: ImageWish) => string {
  const kept = new Map<string, string>();
  let characters = 0;
  const keep = (key: string, encoded: string) => {
    kept.set(key, encoded);
    characters += encoded.length;
    for (const [oldest, { length }] of kept) {
      if (characters <= mostCharacters) return;
      kept.delete(oldest);
      characters -= length;
    }
  };
  return (wish) => {
    const key = JSON.stringify(wish);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const encoded = makeImage(wish).toString('base64');
    keep(key, encoded);
    return encoded;
  };
}
