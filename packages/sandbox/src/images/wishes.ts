/** Words in square brackets in the prompt, by which a test gets the behaviour it needs from any family that can. */
const wishes = [
  /** An image that came on the way and is none of the answer (Google). */
  'draft',
  /** The address of the result has expired. */
  'expired',
  /** What is said to be one type is another. */
  'mislabelled',
  /** An answer without an image. */
  'no-image',
  /** Of several images of one call the second fails, where a family can say that. */
  'partial',
  'revised',
  'safety',
  /** Words instead of an image, from models that speak. */
  'text-only',
] as const;

export type ImageWord = (typeof wishes)[number];

export const wordIn = (prompt: string, word: ImageWord): boolean => prompt.includes(`[${word}]`);

/** `[bytes:12000000]`: an image of exactly so many bytes. */
export const bytesIn = (prompt: string): number | undefined => numberIn(prompt, /\[bytes:(\d{1,8})\]/);

/** `[redirects:2]`: the result is behind so many redirects. */
export const redirectsIn = (prompt: string): number => numberIn(prompt, /\[redirects:(\d{1,2})\]/) ?? 0;

function numberIn(prompt: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(prompt)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
