import { type IncomingExchange, RequestDismissed } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { nothingUsed } from './metering/index.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ServingBench, startServingBench } from './testing/serving-bench.ts';
import { readSummary, type SummaryTools } from './testing/summaries.ts';
import { servePaid } from './serve-paid.ts';
import type { PaidRequest, RequestLife } from './paid-request.ts';

let bench: ServingBench;
let dismissal: AbortController;
let asksAgain: () => Promise<void> | undefined;
/** How many requests providers had when a request was confirmed. */
const confirmedAt: number[] = [];
let refusal: GatewayError | undefined;
let whileAttempted: ((settle: RequestLife['settle']) => never) | undefined;
const refused = {
  provider: 'north',
  model: 'sandbox-chat',
  status_code: 500,
  error_type: 'provider_server_error',
  succeeded: false,
  duration_ms: 1,
} as const;

async function readRequest(tools: SummaryTools, exchange: IncomingExchange): Promise<PaidRequest> {
  const request = await readSummary(tools, exchange);
  if (refusal !== undefined) throw refusal;
  const attempt: PaidRequest['attempt'] = async (life) => whileAttempted?.(life.settle) ?? request.attempt(life);
  return { ...request, attempt };
}

beforeAll(async () => {
  bench = await startServingBench((tools) => {
    const answer = servePaid(tools, {
      name: 'summary',
      operation: 'chat',
      events: tools.events,
      read: (exchange) => readRequest(tools, exchange),
    });
    return (exchange) => {
      const confirm = (): Promise<void> | undefined => {
        confirmedAt.push(bench.simulator.requests.length);
        return exchange.confirm?.();
      };
      return answer({ ...exchange, signal: dismissal.signal, stillWanted: () => asksAgain(), confirm });
    };
  });
});
beforeEach(() => {
  bench.simulator.reset();
  bench.records.length = confirmedAt.length = 0;
  dismissal = new AbortController();
  asksAgain = () => undefined;
});
afterAll(() => bench.close());

let texts = 0;
const ask = (stream: boolean) =>
  bench
    .open(
      { model: 'sandbox-chat', text: `text ${(texts += 1)}`, stream },
      { principal: { accountId: 'account', keyId: `key-${texts}` } },
    )
    .catch((error: { code: string }) => error.code);

test.each([false, true])('is confirmed once, before a provider has the request, streamed: %s', async (stream) => {
  await ask(stream);
  expect([confirmedAt, bench.simulator.requests.length]).toEqual([[0], 1]);
});

test('is not confirmed if it is refused before a provider is called', async () => {
  asksAgain = async () => dismissal.abort(new RequestDismissed());
  expect(await ask(false)).toBe('client_closed_request');
  expect(confirmedAt).toEqual([]);
});

test('is recorded as refused only where no other replica answers it', async () => {
  // Its time for the body may have passed while its replica was suspended.
  refusal = new GatewayError('invalid_parameters', 'The body did not arrive in time.');
  asksAgain = async () => dismissal.abort(new RequestDismissed());
  expect(await ask(false)).toBe('invalid_parameters');
  dismissal = new AbortController();
  asksAgain = async () => {};
  expect(await ask(false)).toBe('invalid_parameters');
  refusal = undefined;
  await expect.poll(() => bench.records).toMatchObject([{ keyId: `key-${texts}` }]);
});

test('is not recorded as refused if its replica was suspended before the refusal was sent', async () => {
  refusal = new GatewayError('permission_denied', 'This API key may not use it.');
  let times = 0;
  asksAgain = () => ((times += 1) === 1 ? undefined : Promise.resolve(dismissal.abort(new RequestDismissed())));
  expect(await ask(false)).toBe('permission_denied');
  await expect.poll(() => times).toBe(2);
  [dismissal, asksAgain, refusal] = [new AbortController(), () => undefined, undefined];
  await ask(false);
  await expect.poll(() => bench.records).toMatchObject([{ keyId: `key-${texts}` }]);
});

test.each([false, true])('does not start a request that another replica answers, streamed: %s', async (stream) => {
  asksAgain = async () => dismissal.abort(new RequestDismissed());
  expect(await ask(stream)).toBe('client_closed_request');
  expect([bench.simulator.requests, bench.records]).toEqual([[], []]);
});

test.each([false, true])(
  'leaves no record if dismissed before a provider has the request, streamed: %s',
  async (stream) => {
    whileAttempted = (settle) => {
      dismissal.abort(new RequestDismissed());
      settle({ ...nothingUsed, attempts: [refused] });
      throw dismissal.signal.reason;
    };
    expect(await ask(stream)).toBe('client_closed_request');
    [dismissal, whileAttempted] = [new AbortController(), undefined];
    await ask(false);
    await expect.poll(() => bench.records).toMatchObject([{ requestId: 'req_toy', keyId: `key-${texts}` }]);
  },
);

test.each([false, true])(
  'leaves no record of attempts that failed while the process was suspended, if another replica answered, streamed: %s',
  async (stream) => {
    whileAttempted = (settle) => {
      asksAgain = async () => dismissal.abort(new RequestDismissed());
      settle({ ...nothingUsed, attempts: [refused], error: new GatewayError('all_providers_failed', 'They failed.') });
      throw new GatewayError('all_providers_failed', 'They failed.');
    };
    await ask(stream);
    [dismissal, whileAttempted] = [new AbortController(), undefined];
    asksAgain = () => undefined;
    await ask(false);
    await expect.poll(() => bench.records).toMatchObject([{ keyId: `key-${texts}` }]);
  },
);

test.each([false, true])(
  "bills the provider's usage if dismissed after a provider has it, streamed: %s",
  async (stream) => {
    bench.simulator.faults.set({ fault: 'hang' });
    const begun = ask(stream);
    await bench.simulator.waitFor(({ requests }) => requests.some(({ outcome }) => outcome === 'open'));
    dismissal.abort(new RequestDismissed());
    expect(await begun).toBe('client_closed_request');
    await expect
      .poll(() => bench.records)
      .toMatchObject([{ provider: bench.providers[0], source: 'estimated', endReason: 'client_gone' }]);
  },
);
