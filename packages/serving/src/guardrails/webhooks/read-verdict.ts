import { type WebhookVerdict, webhookVerdictSchema } from '@switchyard/contracts';

/** Throws if the answer is no verdict about this number of texts. */
export function readVerdict(answer: string, texts: number): WebhookVerdict {
  const verdict = webhookVerdictSchema.parse(JSON.parse(answer));
  if (verdict.verdict === 'redact' && verdict.texts.length !== texts) {
    throw new TypeError(`it returned ${verdict.texts.length} texts for ${texts}`);
  }
  return verdict;
}
