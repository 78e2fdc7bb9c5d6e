import { highestGrowth } from '../../../tests/support/growth.ts';
import { expect, test } from 'vitest';
import { compileGuard } from './guard.ts';
import { redactRequest } from './request.ts';
import { quickTime, RuleTime, streamTime } from './rule-time.ts';
import { createTally } from './tally.ts';

/** Within all bounds of patterns, and slow: 110 instructions are active at each character. */
const slow = (at: number) =>
  ({ name: `slow${at}`, pattern: `[a-c]{1,110}[0-9]{${at + 1}}`, action: 'redact' }) as const;
const text = `${'abc'.repeat(20_000)}12345 ada@example.com`;

function redacted(onTimeout: 'allow' | 'block' | undefined, time: RuleTime) {
  const patterns = [0, 1, 2].map(slow);
  const { request } = compileGuard([
    { request: { patterns, detect: { email: 'redact' }, ...(onTimeout && { onTimeout }) } },
  ]);
  if (request === undefined) throw new Error('no rules');
  const tally = createTally();
  const redact = (): unknown =>
    redactRequest({ input: [text, 'ada@example.com'] }, request, { part: 'request', tally, time });
  return { redact, tally };
}

test.each([undefined, 'block'] as const)('rules that are not finished in time block (onTimeout: %s)', (onTimeout) => {
  const { redact, tally } = redacted(onTimeout, new RuleTime({ mostMs: 0 }));
  expect(redact).toThrow(
    expect.objectContaining({ code: 'guardrail_blocked', message: expect.stringContaining("'time_limit'") }),
  );
  expect(tally.findings()).toEqual([{ rule: 'time_limit', action: 'block', count: 1 }]);
});

test('or let pass what they have not searched, which is recorded; detectors look at every text', () => {
  const { redact, tally } = redacted('allow', new RuleTime({ mostMs: 0 }));
  expect(redact()).toEqual({ input: [text.replace('ada@example.com', '[email]'), '[email]'] });
  expect(tally.findings()).toEqual([
    { rule: 'time_limit', action: 'skip', count: 1 },
    { rule: 'email', action: 'redact', count: 2 },
  ]);
});

test('a search ends once its time is over, however long the text is', () => {
  const searched = (count: number): number => {
    const startedAt = performance.now();
    const { request } = compileGuard([{ request: { patterns: [slow(0)], onTimeout: 'allow' } }]);
    const time = new RuleTime({ mostMs: 20 });
    if (request)
      redactRequest({ input: 'abc'.repeat(count) + '1' }, request, { part: 'request', tally: createTally(), time });
    return performance.now() - startedAt;
  };
  searched(10_000);
  expect(searched(160_000) / searched(10_000)).toBeLessThanOrEqual(highestGrowth);
});

test('the stricter setting of account and key applies', () => {
  const of = (...settings: ('allow' | 'block' | undefined)[]) =>
    compileGuard(settings.map((onTimeout) => ({ request: { maxCharacters: 9, ...(onTimeout && { onTimeout }) } })))
      .request?.onTimeout;
  expect([of('allow'), of('allow', 'block'), of(undefined), of(undefined, 'allow')]).toEqual([
    'allow',
    'block',
    'block',
    'allow',
  ]);
});

/** Whether the search of a text is over after these milliseconds of it. */
function searchedFor(time: RuleTime, clock: { ms: number }, ms: number): boolean {
  return time.search((isOver) => {
    isOver();
    clock.ms += ms;
    return isOver();
  });
}

const timed = (limits: typeof quickTime | typeof streamTime) => {
  const clock = { ms: 0 };
  return { clock, time: new RuleTime({ ...limits, nowMs: () => clock.ms }) };
};

test.each([
  [quickTime, 100],
  [streamTime, 200],
  [{ mostMs: 2_000 }, 2_000],
])('%j: a text is searched for less than %i ms', (limits, most) => {
  const within = timed(limits);
  expect(searchedFor(within.time, within.clock, most - 1)).toBe(false);
  const beyond = timed(limits);
  expect(searchedFor(beyond.time, beyond.clock, most)).toBe(true);
});

test('all texts of a stream are searched for less than five seconds', () => {
  const { time, clock } = timed(streamTime);
  for (let texts = 0; texts < 25; texts += 1) expect(searchedFor(time, clock, 199)).toBe(false);
  // 25 ms are left.
  expect(searchedFor(time, clock, 24)).toBe(false);
  expect(searchedFor(time, clock, 1)).toBe(true);
});
