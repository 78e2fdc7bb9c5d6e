import { type ExchangeAnswer, type IncomingExchange, inProcessLink } from '@tallyport/bus';
import type { Guardrails } from '@tallyport/contracts';
import { wholeBody } from '../../replay/index.ts';
import { createKit, createMetrics, silentLog } from '@tallyport/service-kit';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createTally } from '@tallyport/guardrails';
import { noDecider } from '../../testing/no-decider.ts';
import { guardRequest } from '../guard-request.ts';
import { type GuardrailTools, openGuardrails } from '../open-guardrails.ts';

const config = { ALLOW_LOCAL_TARGETS: false, PRIVATE_TARGETS: [] };
function openTools(): GuardrailTools {
  const metrics = createMetrics({ defaults: false });
  const kit = createKit({ name: 'toy-svc', config, log: silentLog(), metrics });
  return openGuardrails(kit, { link: inProcessLink(), decider: noDecider });
}
const tools = openTools();
afterAll(() => tools.stop());

interface Asking {
  tools: GuardrailTools;
  signal: AbortSignal;
}

/** Guardrails whose callers leave when a test is over, so that no thread goes on with their work. */
function openLeft(): { asking: Asking; leaving: AbortController } {
  const leaving = new AbortController();
  const own = openTools();
  onTestFinished(() => {
    leaving.abort();
    return own.stop();
  });
  return { asking: { tools: own, signal: leaving.signal }, leaving };
}

const answer: ExchangeAnswer = { head: { status: 200, headers: {} }, body: Buffer.alloc(0) };

async function through(
  request: Guardrails['request'],
  input: string,
  { accountId = 'a', ...asking }: Partial<Asking> & { accountId?: string } = {},
): Promise<string> {
  let seen: IncomingExchange | undefined;
  const guard = guardRequest({
    tools: asking.tools ?? tools,
    metering: { refused: () => {} },
    bounds: { maxBodyBytes: 10_000_000 },
  });
  const handle = guard((arrived) => {
    seen = arrived;
    return Promise.resolve(answer);
  });
  const head = {
    requestId: 'r',
    timeoutMs: 60_000,
    headers: {},
    principal: { accountId, keyId: 'k', guardrails: [{ request }] },
  };
  await handle({
    head,
    body: wholeBody(Buffer.from(JSON.stringify({ input }))),
    signal: asking.signal ?? new AbortController().signal,
  });
  return Buffer.from((await seen?.body.bytes(10_000_000)) ?? []).toString();
}

const slow = (at: number) =>
  ({ name: `slow${at}`, pattern: `[a-c]{1,110}[0-9]{${at + 1}}`, action: 'redact' }) as const;

/** How many turns other work got meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const over = work.catch(() => {}).then(() => (isOver = true));
  while (!isOver) {
    // Pause: counts the turns that other work gets.
    await new Promise((resolve) => setTimeout(resolve, 1));
    turns += 1;
  }
  await over;
  return turns;
}

test('a request that keeps its patterns busy leaves the event loop to others, and is decided', async () => {
  const patterns = Array.from({ length: 20 }, (_, at) => slow(at));
  const work = through({ patterns }, `${'abc'.repeat(100_000)}${'1'.repeat(20)}`);
  expect(await turnsDuring(work)).toBeGreaterThan(100);
  await expect(work).rejects.toMatchObject({ code: 'guardrail_blocked' });
});

test.each([
  ['a short text that takes long', `${'abc'.repeat(9_000)}1`],
  ['a long text', `${'abc '.repeat(50_000)}abc1`],
])('%s is redacted in a thread as it would be here', async (_name, input) => {
  const request: Guardrails['request'] = {
    patterns: [{ ...slow(0), pattern: '[a-c]{2,110}[0-9]' }],
    detect: { email: 'redact' },
  };
  const text = `ada@example.com ${input}`;
  const found = /[a-c]{2,110}[0-9]/.exec(text)?.[0] ?? '';
  expect(JSON.parse(await through(request, text))).toEqual({
    input: text.replace('ada@example.com', '[email]').replace(found, '[slow0]'),
  });
});

test('requests beside one in a thread take little of the event loop, and quick ones do not wait for it', async () => {
  const { asking } = openLeft();
  const request: Guardrails['request'] = { patterns: Array.from({ length: 20 }, (_, at) => slow(at)) };
  through(request, `${'abc'.repeat(100_000)}${'1'.repeat(20)}`, asking).catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  const before = process.threadCpuUsage().user;
  for (let count = 0; count < 8; count += 1) through(request, `${'abc'.repeat(9_000)}1`, asking).catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  expect((process.threadCpuUsage().user - before) / 1_000).toBeLessThan(100);
  expect(JSON.parse(await through(request, 'Hello', asking))).toEqual({ input: 'Hello' });
});

test('one account has one thread: the long texts of others are inspected meanwhile', async () => {
  const { asking, leaving } = openLeft();
  const patterns = Array.from({ length: 20 }, (_, at) => slow(at));
  const input = `${'abc'.repeat(100_000)}${'1'.repeat(20)}`;
  const order: string[] = [];
  const busy = [0, 1, 2].map(() => through({ patterns }, input, asking).catch(() => order.push('busy')));
  const other = through({ detect: { email: 'redact' } }, `${'x '.repeat(100_000)} ada@example.com`, {
    ...asking,
    accountId: 'b',
  });
  await other.then(() => order.push('other'));
  leaving.abort();
  await Promise.all(busy);
  expect(order).toEqual(['other', 'busy', 'busy', 'busy']);
});

test('a long text without a rule to search does not wait for a thread', async () => {
  const { asking, leaving } = openLeft();
  const order: string[] = [];
  const patterns = Array.from({ length: 20 }, (_, at) => slow(at));
  const text = `${'abc'.repeat(100_000)}${'1'.repeat(20)}`;
  const busy = through({ patterns }, text, asking).catch((reason) => order.push(reason));
  await through({ maxCharacters: 1_000_000 }, 'x'.repeat(100_000), asking).then(() => order.push('counted'));
  leaving.abort('left');
  await busy;
  expect(order).toEqual(['counted', 'left']);
});

test('documents of up to 64 KiB are inspected here', async () => {
  const principal = { accountId: 'a', keyId: 'k', guardrails: [{ request: { detect: { email: 'redact' as const } } }] };
  const check = tools.of(principal)?.request;
  if (check === undefined) throw new Error('no rules');
  const redact = (bytes: number) =>
    tools.redact({
      head: { principal },
      part: 'request',
      check,
      document: { input: 'ada@example.com' },
      bytes,
      tally: createTally(),
      // Only a thread looks at it.
      signal: AbortSignal.abort(new Error('a thread')),
    });
  expect(await redact(64 * 1024)).toEqual({ input: '[email]' });
  await expect(redact(64 * 1024 + 1)).rejects.toThrow('a thread');
});
