import { areAsked, replaceTexts, type TextGuard, textsOf, type TextWalk } from '@tallyport/guardrails';
import type { InspectTexts, TextQuestion } from './inspect-texts.ts';

interface WalkedDocument<Document> {
  document: Document;
  walk(document: Document, guard: TextGuard): Document;
}

/** The document with the texts that webhooks and models let pass; the same one if none is asked. Throws like `inspect`. */
export async function guardDocument<Document>(
  inspect: InspectTexts,
  { document, walk }: WalkedDocument<Document>,
  question: Omit<TextQuestion, 'before' | 'texts'>,
): Promise<Document> {
  if (!areAsked(question.asked)) return document;
  const texts: TextWalk<Document> = (guard) => walk(document, guard);
  return replaceTexts(texts, await inspect({ ...question, texts: textsOf(texts) }));
}
