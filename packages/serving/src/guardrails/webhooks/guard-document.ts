import { replaceTexts, textsOf, type TextWalk } from '@tallyport/guardrails';
import type { WebhookQuestion, Webhooks } from './open-webhooks.ts';

/** The document with the texts that webhooks let pass. Throws like `inspect`. */
export async function guardDocument<Document>(
  { inspect }: Pick<Webhooks, 'inspect'>,
  walk: TextWalk<Document>,
  question: Omit<WebhookQuestion, 'before' | 'texts'>,
): Promise<Document> {
  return replaceTexts(walk, await inspect({ ...question, texts: textsOf(walk) }));
}
