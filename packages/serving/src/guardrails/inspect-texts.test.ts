import { createTally } from '@tallyport/guardrails';
import type { DecisionCall } from '@tallyport/providers';
import { expect, test } from 'vitest';
import { openWebhookReceiver } from '../testing/webhook-receiver.ts';
import { inspectTexts } from './inspect-texts.ts';

test('a model is asked about the texts that a webhook returned', async () => {
  const opened = await openWebhookReceiver();
  opened.receiver.reply = async () => ({ body: '{"verdict":"redact","texts":["Hello [name]"]}' });
  const calls: DecisionCall[] = [];
  const inspect = inspectTexts(opened.webhooks, {
    async ask({ call }) {
      calls.push(call);
      return [{ type: 'predicate', probability: 0.1 }];
    },
  });
  const asking = { onFailure: 'block', timeoutMs: 10_000, portion: 1_000 } as const;
  const asked = {
    webhooks: [{ name: 'dlp', ...asking }],
    decisions: [{ model: 'jev', policies: [{ name: 'rude', policy: 'It is rude.', action: 'block' }], ...asking }],
  } as const;
  const head = { requestId: 'req_1', timeoutMs: 1_000, headers: {}, principal: { accountId: 'a', keyId: 'k' } };
  const { signal } = new AbortController();
  const question = { head, part: 'request', asked, texts: ['Hello Ada'], tally: createTally(), signal } as const;
  expect(await inspect(question)).toEqual(['Hello [name]']);
  expect(calls).toMatchObject([{ subject: { kind: 'input', input: 'Hello [name]' } }]);
  await opened.close();
});
