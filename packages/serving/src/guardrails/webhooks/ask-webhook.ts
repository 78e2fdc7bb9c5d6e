import { randomUUID } from 'node:crypto';
import type { GuardWebhook, RequestHead, WebhookVerdict } from '@tallyport/contracts';
import type { GuardedPart } from '@tallyport/guardrails';
import { signWebhook } from '@tallyport/service-kit';
import type { PublicFetch } from '@tallyport/outbound';
import { readVerdict } from './read-verdict.ts';
import { WebhookFailure } from './webhook-failure.ts';

/** Texts about which a webhook decides. */
export interface WebhookTexts {
  part: GuardedPart;
  texts: readonly string[];
  /** Of a stream: the end of what was sent already, for each text. */
  before?: readonly string[];
}

/** The largest request. Longer texts count as not decided. */
export const mostWebhookBytes = 1024 * 1024;

/** Sends texts to a webhook. Rejects if it does not answer with a verdict, or with the signal's reason. */
export async function askWebhook(
  fetch: PublicFetch,
  { url, secret }: Pick<GuardWebhook, 'url' | 'secret'>,
  { head, signal, ...question }: WebhookTexts & { head: RequestHead; signal: AbortSignal },
): Promise<WebhookVerdict> {
  const body = bodyOf(head, question);
  const response = await fetch(url, {
    method: 'POST',
    headers: signWebhook({ id: `guard_${randomUUID()}`, body, secret, now: new Date() }),
    body,
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new WebhookFailure('answer', `answered with status ${response.status}`);
  }
  return readVerdict(await response.text(), question.texts.length);
}

function bodyOf({ requestId, principal }: RequestHead, { part, texts, before }: WebhookTexts): string {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const body =
    characters > mostWebhookBytes
      ? undefined
      : JSON.stringify({ requestId, account: principal?.accountId, key: principal?.keyId, part, texts, before });
  if (body !== undefined && Buffer.byteLength(body) <= mostWebhookBytes) return body;
  throw new WebhookFailure('unsent', `accepts no texts of more than ${mostWebhookBytes} bytes`);
}
