import type { ProxiedRequest } from './proxied-request.ts';

type Item = Readonly<Record<string, unknown>>;

/** Returns what is wrong with the requests of a conversation of three questions, which is compacted before the second and the third. */
export function compactionProblems(requests: readonly ProxiedRequest[]): string[] {
  const inputs = requests.filter(({ path }) => path.startsWith('/v1/responses')).map(itemsOf);
  const asking = inputs.filter((items) => items.at(-1)?.type === 'compaction_trigger').length;
  const compacted = inputs.filter((items) => items.filter(({ type }) => type === 'compaction').length === 1);
  return [
    ...(asking === 2 ? [] : [`The gateway was asked for ${asking} compactions instead of 2.`]),
    // The answers to two questions, and the second compaction.
    ...(compacted.length === 3 ? [] : [`${compacted.length} requests instead of 3 have a compaction.`]),
  ];
}

function itemsOf({ body }: ProxiedRequest): readonly Item[] {
  const { input } = JSON.parse(body) as { input?: unknown };
  return Array.isArray(input) ? input : [];
}
