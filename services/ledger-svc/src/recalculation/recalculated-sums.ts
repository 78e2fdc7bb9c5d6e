import type { RecalculatedSum } from '@tallyport/contracts';
import { type Money, moneyText, readMoney } from '@tallyport/pricing';

/** What one request adds to a class. */
interface Addition extends Pick<RecalculatedSum, 'model' | 'provider' | 'class'> {
  requests: number;
  booked: string | undefined;
  recalculated: Money;
}

/** Adds up costs by model, provider and class, exactly. */
export interface RecalculatedSums {
  add(addition: Addition): void;
  rows(): RecalculatedSum[];
}

export function createRecalculatedSums(): RecalculatedSums {
  const sums = new Map<string, Omit<Addition, 'booked'> & { booked: Money }>();
  return {
    add({ booked, recalculated, requests, ...place }) {
      const name = JSON.stringify([place.model, place.provider, place.class]);
      const sum = sums.get(name) ?? { ...place, requests: 0, booked: 0n, recalculated: 0n };
      sum.requests += requests;
      sum.booked += readMoney(booked ?? '0') ?? 0n;
      sum.recalculated += recalculated;
      sums.set(name, sum);
    },
    rows: () =>
      [...sums.values()].map((sum) => ({
        ...sum,
        booked: moneyText(sum.booked),
        recalculated: moneyText(sum.recalculated),
      })),
  };
}
