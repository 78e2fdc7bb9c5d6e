import { replaceTexts, type TextGuard, textsOf, type TextWalk } from '@tallyport/guardrails';
import type { WebhookQuestion, Webhooks } from './open-webhooks.ts';

interface WalkedDocument<Document> {
  document: Document;
  walk(document: Document, guard: TextGuard): Document;
}

/** The document with the texts that webhooks let pass; the same one if none is asked. Throws like `inspect`. */
export async function guardDocument<Document>(
  { inspect }: Pick<Webhooks, 'inspect'>,
  { document, walk }: WalkedDocument<Document>,
  question: Omit<WebhookQuestion, 'before' | 'texts'>,
): Promise<Document> {
  if (question.webhooks.length === 0) return document;
  const texts: TextWalk<Document> = (guard) => walk(document, guard);
  return replaceTexts(texts, await inspect({ ...question, texts: textsOf(texts) }));
}
