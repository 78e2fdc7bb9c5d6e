import { planOfText, usageRecordSchema } from '@tallyport/contracts';
import { describe, expect, it } from 'vitest';
import { demoCallers } from '../callers.ts';
import { dayOfTraffic } from './day-of-traffic.ts';

const now = new Date('2026-11-23T12:00:00.000Z');
const keyIds = new Map(demoCallers.map(({ name }) => [name, `key of ${name}`]));
const dayOf = (daysAgo: number, seed = 1) => dayOfTraffic({ accountId: 'default', keyIds, seed, daysAgo, now });
const month = Array.from({ length: 30 }, (_, daysAgo) => dayOf(daysAgo)).flat();
/** Whole numbers, which compare exactly. */
const inTenths = (milliseconds: number): number => Math.round(milliseconds * 10);

describe('demo traffic', () => {
  it('has records as services write them', () => {
    for (const record of month) expect(usageRecordSchema.parse(record)).toEqual(record);
    expect(new Set(month.map(({ id }) => id)).size).toBe(month.length);
    expect(month.length).toBeGreaterThan(4_000);
  });

  it('is the same for the same seed only', () => {
    expect(dayOf(3)).toEqual(dayOf(3));
    expect(dayOf(3)).not.toEqual(dayOf(3, 2));
  });

  it('stays within its day, and today before the present time', () => {
    expect(new Set(dayOf(3).map(({ at }) => at.slice(0, 10)))).toEqual(new Set(['2026-11-20']));
    expect(
      dayOf(0)
        .map(({ at }) => at)
        .toSorted()
        .at(-1),
    ).toMatch(/^2026-11-23T1[01]:/);
  });

  it.each([
    ['answered', ({ endReason, attempts }) => endReason === 'done' && attempts.length === 1],
    ['rescued by failover', ({ endReason, attempts }) => endReason === 'done' && attempts.length > 1],
    ['failed at every provider', ({ error }) => error === 'all_providers_failed'],
    ['abandoned', ({ endReason }) => endReason === 'client_gone'],
    ['cached', ({ cached, attempts }) => cached && attempts.length === 0],
    ['over its limit', ({ endReason, error }) => endReason === 'refused' && error === 'rate_limit_exceeded'],
    ['over its budget', ({ endReason, error }) => endReason === 'refused' && error === 'budget_exceeded'],
    ['an image', ({ images, cost }) => images === 1 && cost === '0.033600000000'],
  ] satisfies [string, (record: (typeof month)[number]) => boolean][])('has requests that were %s', (_what, has) => {
    expect(month.some(has)).toBe(true);
  });

  it('has an incident, in which most first attempts failed and other providers answered', () => {
    const hit = dayOf(9).filter(({ at, attempts }) => {
      return /T1[2-6]:/.test(at) && attempts[0]?.provider === 'anthropic';
    });
    const failed = hit.filter(({ attempts }) => attempts[0]?.error === 'provider_overloaded');
    expect(failed.length / hit.length).toBeGreaterThan(0.5);
    expect(failed.filter(({ endReason }) => endReason === 'error').length).toBeLessThan(failed.length / 10);
  });

  it('has attempts that follow each other from the end of planning to the end of the request', () => {
    for (const { attempts, durationMs } of month.filter((record) => record.attempts.length > 0)) {
      const times = attempts.flatMap(({ startMs = NaN, ms }) => [inTenths(startMs), inTenths(startMs + ms)]);
      expect(times[0]).toBe(0);
      expect([...times, inTenths(durationMs)]).toEqual([...times, inTenths(durationMs)].toSorted((a, b) => a - b));
    }
  });

  it('has plans whose weights add up to 1, without a throughput for models that write no text', () => {
    for (const { operation, details } of month) {
      for (const { factors = {} } of planOfText(details?.offers)?.offers ?? []) {
        expect([operation, Object.keys(factors).includes('throughput')]).toEqual([operation, operation === 'chat']);
        expect(Object.values(factors).reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 10);
      }
    }
  });

  it('charges what its tokens cost', () => {
    for (const { cost, costs } of month) {
      const parts = Object.values(costs).reduce((sum, part) => sum + Number(part), 0);
      expect(Number(cost)).toBeCloseTo(parts, 10);
    }
  });
});
