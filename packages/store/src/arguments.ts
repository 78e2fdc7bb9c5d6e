import { createHash } from 'node:crypto';
import type {
  AdmitRule,
  FadingSums,
  PresenceRule,
  PurseStep,
  QueueStep,
  ShareRule,
  SpendRule,
  TakeRule,
} from './store.ts';

export const defaultMaxValueBytes = 1024 * 1024;

const maxKeyLength = 200;

/** Keys may contain client input, so a long key is replaced by its hash. */
export function boundedKey(key: string): string {
  if (key.length <= maxKeyLength) return key;
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

export function checkTtl(ttlMs: number): void {
  if (Number.isSafeInteger(ttlMs) && ttlMs > 0) return;
  throw new RangeError(`The time to live must be a positive whole number of milliseconds, not ${ttlMs}.`);
}

export function checkIncrement(by: number): void {
  if (Number.isSafeInteger(by)) return;
  throw new RangeError(`The increment of a counter must be a whole number, not ${by}.`);
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
  throw new RangeError('A spend rule needs whole numbers, not negative except `owed`, and a positive window.');
}

export function checkSharing({ needed, wanted, limit, ttlMs }: ShareRule): void {
  checkTtl(ttlMs);
  if ([needed, wanted, limit].every((each) => Number.isSafeInteger(each) && each >= 0)) return;
  throw new RangeError('A share rule needs whole numbers that are not negative.');
}

export function checkPresence({ ttlMs }: PresenceRule): void {
  if (ttlMs !== 0) checkTtl(ttlMs);
}

export function checkAdmission({ most, ttlMs }: AdmitRule): void {
  checkTtl(ttlMs);
  if (Number.isSafeInteger(most) && most >= 0) return;
  throw new RangeError('A set needs room for a whole number of members.');
}

export function checkQueue(step: QueueStep): void {
  if (step.kind === 'put') checkTtl(step.keepMs);
  if (step.kind === 'take') checkTtl(step.holdMs);
  const counts = step.kind === 'put' ? [step.dueInMs, step.most] : step.kind === 'take' ? [step.most - 1] : [];
  if (counts.every((each) => Number.isSafeInteger(each) && each >= 0)) return;
  throw new RangeError('A queue needs whole numbers that are not negative, and takes at least one entry.');
}

export function checkPurse(step: PurseStep, keepMs: number): void {
  checkTtl(keepMs);
  if ('ttlMs' in step) checkTtl(step.ttlMs);
  if (amountsIn(step).every((each) => Number.isSafeInteger(each) && each >= 0)) return;
  throw new RangeError('A purse step needs whole numbers that are not negative.');
}

/** The ids of a step, which may be empty, in the order in which the Redis script reads them. */
export function idsIn(step: PurseStep): string[] {
  if (step.kind === 'reserve') return [step.hold ?? ''];
  if (step.kind === 'hold') return [step.id];
  return step.kind === 'settle' ? [step.id ?? '', step.hold ?? '', ...(step.forget ?? [])] : [];
}

/** The amounts of a step, in the order in which the Redis script reads them. */
export function amountsIn(step: PurseStep): number[] {
  switch (step.kind) {
    case 'reserve':
    case 'hold':
      return [step.amount, step.limit, step.since ?? 0];
    case 'settle':
      return [step.since ?? 0, step.slot, step.reserved, step.spent, step.hour];
    case 'know':
      return [step.before, step.from, ...step.hours.flatMap(({ hour, amount }) => [hour, amount])];
    case 'recall':
      return [step.seen, step.owed, step.hour, ...step.held.flatMap(({ slot, amount }) => [slot, amount])];
    default:
      return step satisfies never;
  }
}
