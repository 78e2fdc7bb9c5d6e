import type { UsageRecord } from '@tallyport/contracts';
import { dayMs } from '../../usage/days.ts';
import { hourMs } from '../../usage/hours.ts';
import { demoCallers, type Habit } from '../callers.ts';
import { demoRecord } from './demo-record.ts';
import { createRandom } from './random.ts';

interface DayOfTraffic {
  accountId: string;
  /** The id of each caller's key, by the caller's name. */
  keyIds: ReadonlyMap<string, string>;
  seed: number;
  daysAgo: number;
  now: Date;
}

/** The records of one day (UTC), and of today only those until now. */
export function dayOfTraffic({ accountId, keyIds, seed, daysAgo, now }: DayOfTraffic): UsageRecord[] {
  const midnight = new Date(Math.floor(now.getTime() / dayMs) * dayMs - daysAgo * dayMs);
  const random = createRandom(`${accountId} ${seed} ${daysAgo}`);
  return demoCallers.flatMap((caller) => {
    const keyId = keyIds.get(caller.name);
    if (keyId === undefined) return [];
    const count = Math.round(
      caller.requestsPerDay * busyness(caller.habit, midnight, daysAgo) * (0.85 + random.next() * 0.3),
    );
    const records = Array.from({ length: count }, () => {
      const hour = random.pick(hours[caller.habit]);
      const at = new Date(midnight.getTime() + Math.floor((hour + random.next()) * hourMs));
      return demoRecord({ accountId, keyId, caller, at, daysAgo, random });
    });
    return records.filter(({ at }) => Date.parse(at) <= now.getTime());
  });
}

/** Offices are quiet at the weekend, and the traffic of all has grown over the month. */
function busyness(habit: Habit, day: Date, daysAgo: number): number {
  const isWeekend = day.getUTCDay() % 6 === 0;
  const growth = 1.15 - daysAgo * 0.012;
  return growth * (isWeekend ? (habit === 'office' ? 0.12 : 0.7) : 1);
}

const everyHour = Array.from({ length: 24 }, (_, hour) => hour);

/** Hours of the day in UTC, with their weights. */
const hours: Readonly<Record<Habit, readonly (readonly [hour: number, weight: number])[]>> = {
  always: everyHour.map((hour) => [hour, 2 + 3 * Math.max(0, Math.sin(((hour - 5) / 24) * 2 * Math.PI))]),
  office: everyHour.map((hour) => [hour, hour >= 7 && hour <= 17 ? (hour === 11 ? 4 : 6) : 0.3]),
  night: everyHour.map((hour) => [hour, hour >= 1 && hour <= 4 ? 8 : 0.2]),
};
