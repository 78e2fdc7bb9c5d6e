import { makeImage, type ImageSpec } from './image.ts';

const mostCharacters = 32 * 1024 * 1024;

/** Encodes images as base64. The newest are cached, so that load tests with large images mainly measure sending. */
export function createImageEncoder(): (spec: ImageSpec) => string {
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
  return (spec) => {
    const key = JSON.stringify(spec);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const encoded = makeImage(spec).toString('base64');
    keep(key, encoded);
    return encoded;
  };
}
