import type { CatalogueOverride, StoredOverride } from '@switchyard/contracts';
import { z } from 'zod';
import type { Difference } from './differences.ts';

const members = z.record(z.string(), z.json());
type Members = z.infer<typeof members>;

/** The differences as overrides, one per model, with what overrides say already. */
export function asOverrides(
  differences: readonly Difference[],
  existing: readonly StoredOverride[],
): CatalogueOverride[] {
  const byModel = Map.groupBy(differences, ({ modelId }) => modelId);
  return [...byModel].map(([id, those]) => {
    const before = existing.find((override) => override.kind === 'model' && override.id === id)?.value;
    return { kind: 'model', id, value: those.reduce(withDifference, membersOf(before)) };
  });
}

function withDifference(value: Members, { providerId, member, theirs }: Difference): Members {
  const offers = membersOf(value['offers']);
  const offer = membersOf(offers[providerId]);
  const [outer = member, inner] = member.split('.');
  const changed = inner === undefined ? theirs : { ...membersOf(offer[outer]), [inner]: theirs };
  return { ...value, offers: { ...offers, [providerId]: { ...offer, [outer]: changed } } };
}

const membersOf = (value: unknown): Members => members.safeParse(value).data ?? {};
