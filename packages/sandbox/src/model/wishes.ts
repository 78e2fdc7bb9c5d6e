/** Words in square brackets in the question, by which a test gets the behaviour it needs from any family. */
const wishes = [
  'cached',
  'citations',
  'image',
  'length',
  'no-arguments',
  'parallel',
  'reasoning',
  'refusal',
  'text',
  'text-and-call',
] as const;

export type Wish = (typeof wishes)[number];

export const wishesFor = (text: string, wish: Wish): boolean => text.includes(`[${wish}]`);

/** `[words:200]` in the question asks for an answer of exactly so many words, for tests and load. */
export function wordsWished(text: string): number | undefined {
  const count = /\[words:(\d{1,7})\]/.exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
}

/** `[finish:eos]`: the reason an OpenAI-format answer ends with, whatever it says. */
export const finishWished = (text: string): string | undefined => /\[finish:([a-z_]{1,40})\]/.exec(text)?.[1];
