import type { ProviderPreferences } from '@tallyport/wire';
import type { Plan } from './plan.ts';
import { sortedBy } from './preferences.ts';

/**
 * The models of a request whose `sort` has no partition: by the offer that each would try first, the best one first. One
 * about whose offer nothing is known comes last. Otherwise as named.
 */
export function bestFirst<Planned>(
  all: readonly Planned[],
  { preferences, planOf }: { preferences: ProviderPreferences | undefined; planOf(planned: Planned): Plan },
): Planned[] {
  const { sort } = preferences ?? {};
  const by = preferences && sortedBy(preferences);
  if (by === undefined || typeof sort !== 'object' || sort?.partition !== 'none') return [...all];
  const sign = by === 'throughput' ? -1 : 1;
  const valued = all.map((planned) => ({ planned, value: planOf(planned).candidates[0]?.score.factors[by]?.value }));
  const rank = (value: number | undefined): number => (value === undefined ? Infinity : sign * value);
  return valued.toSorted((one, other) => compared(rank(one.value), rank(other.value))).map(({ planned }) => planned);
}

/** The difference of two infinities is no number. */
const compared = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1);
