import { createHash } from 'node:crypto';
import type { FadingSums, PurseStep, ShareRule, SpendRule, TakeRule } from './store.ts';

export const defaultMaxValueBytes = 1024 * 1024;

const maxKeyLength = 200;

/** Keys may hold what a client sent, so a long one becomes its hash: no input can make a key large. */
export function boundedKey(key: string): string {
  if (key.length <= maxKeyLength) return key;
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

export function checkTtl(ttlMs: number): void {
  if (Number.isSafeInteger(ttlMs) && ttlMs > 0) return;
  throw new RangeError(`A time to live is a positive whole number of milliseconds, not ${ttlMs}.`);
}

export function checkIncrement(by: number): void {
  if (Number.isSafeInteger(by)) return;
  throw new RangeError(`A counter counts in whole numbers, not ${by}.`);
}

export function checkRule({ capacity, refillPerSecond, cost }: TakeRule): void {
  const positive = capacity > 0 && refillPerSecond > 0;
  if (positive && [capacity, refillPerSecond, cost].every(Number.isFinite)) return;
  throw new RangeError('A token bucket needs a positive capacity and refill, and a finite cost.');
}

export function checkAdditions(additions: FadingSums, halfLifeMs: number): void {
  const figures = [...additions.values()].flat();
  if (halfLifeMs > 0 && Number.isFinite(halfLifeMs) && figures.every(Number.isFinite)) return;
  throw new RangeError('Fading sums need a positive half-life and finite numbers.');
}

export function checkSpending({ limit, windowMs, wanted, least = wanted, owed = 0 }: SpendRule): void {
  const whole = [limit, wanted, least, owed].every(Number.isSafeInteger);
  if (whole && Number.isFinite(windowMs) && windowMs > 0 && limit >= 0 && wanted >= 0 && least >= 0) return;
  throw new RangeError('Spending needs whole numbers, none but a debt below zero, and a window.');
}

export function checkSharing({ needed, wanted, limit, ttlMs }: ShareRule): void {
  checkTtl(ttlMs);
  if ([needed, wanted, limit].every((each) => Number.isSafeInteger(each) && each >= 0)) return;
  throw new RangeError('A share needs whole numbers, none below zero.');
}

export function checkPurse(step: PurseStep, keepMs: number): void {
  checkTtl(keepMs);
  if (step.kind === 'reserve') checkTtl(step.ttlMs);
  if (amountsIn(step).every((each) => Number.isSafeInteger(each) && each >= 0)) return;
  throw new RangeError('A purse needs whole numbers, none below zero.');
}

/** In the order the script of Redis reads them. */
export function amountsIn(step: PurseStep): number[] {
  switch (step.kind) {
    case 'reserve':
      return [step.amount, step.limit];
    case 'settle':
      return [step.slot, step.reserved, step.spent, step.hour];
    case 'know':
      return [step.before, step.from, ...step.hours.flatMap(({ hour, amount }) => [hour, amount])];
    default:
      return step satisfies never;
  }
}
