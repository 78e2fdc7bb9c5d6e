import { type ExchangeAnswer, type IncomingExchange, inProcessLink } from '@tallyport/bus';
import type { Principal } from '@tallyport/contracts';
import { wholeBody } from '../replay/index.ts';
import { createKit, createMetrics, silentLog } from '@tallyport/service-kit';
import { expect, test } from 'vitest';
import { noDecider } from '../testing/no-decider.ts';
import { guardRequest } from './guard-request.ts';
import { openGuardrails } from './open-guardrails.ts';

const config = { ALLOW_LOCAL_TARGETS: false, PRIVATE_TARGETS: [] };
const kit = createKit({ name: 'toy-svc', config, log: silentLog(), metrics: createMetrics({ defaults: false }) });
const answer: Promise<ExchangeAnswer> = Promise.resolve({ head: { status: 200, headers: {} }, body: Buffer.alloc(0) });
const maxBodyBytes = 40;

function exchangeWith(principal: Principal | undefined, text: string): IncomingExchange {
  const head = { requestId: 'r', timeoutMs: 1_000, headers: {}, ...(principal && { principal }) };
  return { head, body: wholeBody(Buffer.from(text)), signal: new AbortController().signal };
}

/** Resolves with what the handler got. */
function through(exchange: IncomingExchange) {
  const seen: IncomingExchange[] = [];
  const tools = openGuardrails(kit, { link: inProcessLink(), decider: noDecider });
  const guard = guardRequest({ tools, metering: { refused: () => {} }, bounds: { maxBodyBytes } });
  const handle = guard((arrived) => {
    seen.push(arrived);
    return answer;
  });
  return { answered: handle(exchange), seen };
}

const caller = { accountId: 'a', keyId: 'k' };

test.each([
  ['no caller', undefined],
  ['a caller without rules', caller],
  ['a caller with rules for answers', { ...caller, guardrails: [{ answer: { maxCharacters: 1 } }] }],
])('with %s, the handler gets the very exchange and its promise is returned', (_name, principal) => {
  const exchange = exchangeWith(principal, 'not JSON');
  const { answered, seen } = through(exchange);
  expect(seen[0]).toBe(exchange);
  expect(answered).toBe(answer);
});

test('a body is held up to its limit', async () => {
  const guarded = { ...caller, guardrails: [{ request: { maxCharacters: 1_000 } }] };
  const body = (bytes: number): string => JSON.stringify({ input: 'x'.repeat(bytes - '{"input":""}'.length) });
  const { answered, seen } = through(exchangeWith(guarded, body(maxBodyBytes)));
  expect(await answered).toBe(await answer);
  expect(Buffer.from((await seen[0]?.body.bytes(1_000)) ?? []).toString()).toBe(body(maxBodyBytes));
  await expect(through(exchangeWith(guarded, body(maxBodyBytes + 1))).answered).rejects.toMatchObject({
    code: 'request_too_large',
  });
});
