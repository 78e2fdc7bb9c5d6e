import { inProcessLink, type Link, serve } from '@tallyport/bus';
import { ledgerService } from '@tallyport/contracts';
import { createMetrics, silentLog } from '@tallyport/service-kit';
import { documentOf } from '@tallyport/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PaidAnswer, PaidRequest } from '../paid-request.ts';
import { type ContentLog, openContentLog } from './content-log.ts';

let link: Link;
let log: ContentLog;
let stored: unknown[];
beforeEach(async () => {
  stored = [];
  link = inProcessLink();
  const keepContents = async ({ contents }: { contents: { content: unknown }[] }) => {
    stored.push(...contents.map(({ content }) => content));
    return {};
  };
  await serve(link, ledgerService, { keepContents } as never);
  log = openContentLog({ log: silentLog(), metrics: createMetrics({ defaults: false }) }, link);
});
afterEach(async () => {
  await log.stop(100);
  await link.close();
});

const part = { kind: 'text', text: 'a question' } as const;
const request = { content: { prompt: () => [part], answer: () => [] } } as Partial<PaidRequest> as PaidRequest;
const answer = {
  content: { kind: 'whole', complete: true, document: documentOf({}) },
} as Partial<PaidAnswer> as PaidAnswer;

/** The client leaves before the answer is known, or after it, and the answer is not read. */
test.each(['before', 'after'])(
  'the prompt is stored if the client leaves %s the answer and nothing reads it',
  async (when) => {
    const principal = { accountId: 'acc_1', keyId: 'key_1', contentLog: { maxBytes: 1_000 } };
    const content = log.begin({ requestId: 'req_1', timeoutMs: 1_000, headers: {}, principal }, request);
    const left = new AbortController();
    if (when === 'before') left.abort();
    content?.answered(answer, left.signal);
    left.abort();
    await expect.poll(() => stored).toEqual([{ prompt: { parts: [part], cut: false } }]);
  },
);
