/** Directives: words in square brackets in the prompt that request a behaviour, from families that support it. */
const directives = [
  /** An intermediate image that is not part of the answer (Google). */
  'draft',
  /** The URL of the result has expired. */
  'expired',
  /** The image has another type than declared. */
  'mislabelled',
  /** An answer without an image. */
  'no-image',
  /** The second of several images fails, in families that can express it. */
  'partial',
  'revised',
  'safety',
  /** Text instead of an image, from models with a chat API. */
  'text-only',
] as const;

type ImageDirective = (typeof directives)[number];

export const hasImageDirective = (prompt: string, word: ImageDirective): boolean => prompt.includes(`[${word}]`);

/** `[bytes:12000000]`: an image of exactly this many bytes. */
export const bytesIn = (prompt: string): number | undefined => numberIn(prompt, /\[bytes:(\d{1,8})\]/);

/** `[redirects:2]`: the result is behind this many redirects. */
export const redirectsIn = (prompt: string): number => numberIn(prompt, /\[redirects:(\d{1,2})\]/) ?? 0;

function numberIn(prompt: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(prompt)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
