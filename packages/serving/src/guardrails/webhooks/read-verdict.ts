import { type WebhookVerdict, webhookVerdictSchema } from '@tallyport/contracts';
import { WebhookFailure } from './webhook-failure.ts';

/** Throws WebhookFailure if the answer is no verdict about this number of texts. */
export function readVerdict(answer: string, texts: number): WebhookVerdict {
  const { data: verdict, error } = webhookVerdictSchema.safeParse(jsonOf(answer));
  if (verdict === undefined) throw new WebhookFailure('answer', 'returned no verdict', { cause: error });
  if (verdict.verdict === 'redact' && verdict.texts.length !== texts) {
    throw new WebhookFailure('answer', `returned ${verdict.texts.length} texts for ${texts}`);
  }
  return verdict;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WebhookFailure('answer', 'returned no JSON', { cause });
  }
}
