import type { Usage } from '@tallyport/wire';

/** Adds up all calls: each is paid for, its prompt included. */
export function summedUsage(usages: readonly Usage[]): Usage {
  const costs = usages.flatMap(({ cost }) => cost ?? []);
  const others = usages.flatMap((usage) => usage.other_models ?? []);
  const unknown = usages.flatMap((usage) => usage.unknown_classes ?? []);
  const runs = total(usages.map(({ iterations = 1 }) => iterations));
  const geo = firstOf(usages.map((usage) => usage.inference_geo));
  const tier = firstOf(usages.map((usage) => usage.service_tier));
  return {
    prompt_tokens: total(usages.map((usage) => usage.prompt_tokens)),
    completion_tokens: total(usages.map((usage) => usage.completion_tokens)),
    total_tokens: total(usages.map((usage) => usage.total_tokens)),
    ...summed(usages, 'prompt_tokens_details'),
    ...summed(usages, 'completion_tokens_details'),
    ...summed(usages, 'server_tool_use'),
    ...(others.length > 0 && { other_models: others }),
    ...(unknown.length > 0 && { unknown_classes: [...new Set(unknown)] }),
    ...(runs > usages.length && { iterations: runs }),
    ...(costs.length === usages.length && { cost: total(costs) }),
    ...(geo !== undefined && { inference_geo: geo }),
    ...(tier !== undefined && { service_tier: tier }),
  };
}

/**
 * Calls of one request may run in several places and be billed in several tiers, but an answer has one: the first that a
 * call names. The standard tier is not named.
 */
const firstOf = (names: readonly (string | undefined)[]): string | undefined =>
  names.find((name) => name !== undefined);

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Sums each count of a member; one that no call reports is left out. */
function summed(usages: readonly Usage[], member: keyof Usage): object | undefined {
  const sums: Sums = {};
  for (const usage of usages) add(sums, usage[member]);
  return Object.keys(sums).length === 0 ? undefined : { [member]: sums };
}

interface Sums {
  [name: string]: number | Sums;
}

function add(sums: Sums, counts: unknown): void {
  if (typeof counts !== 'object' || counts === null) return;
  for (const [name, count] of Object.entries(counts)) {
    const before = sums[name];
    if (typeof count === 'number') sums[name] = (typeof before === 'number' ? before : 0) + count;
    else add((sums[name] = typeof before === 'object' ? before : {}), count);
  }
}
