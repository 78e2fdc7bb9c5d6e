import type { TextGuard } from './texts.ts';

/** Passes all texts of a document through a guard, always in the same order, and returns the document with its results. */
export type TextWalk<Document> = (guard: TextGuard) => Document;

/** The texts of a document that are not empty. */
export function textsOf(walk: TextWalk<unknown>): string[] {
  const texts: string[] = [];
  walk(
    eachText((text) => {
      texts.push(text);
      return text;
    }),
  );
  return texts;
}

/** The document with other texts for those that `textsOf` returned. */
export function replaceTexts<Document>(walk: TextWalk<Document>, texts: readonly string[]): Document {
  let at = 0;
  return walk(eachText((text) => texts[at++] ?? text));
}

function eachText(replace: (text: string) => string): TextGuard {
  const text = (each: string): string => (each === '' ? each : replace(each));
  return { text, parts: (texts) => texts.map(text) };
}
