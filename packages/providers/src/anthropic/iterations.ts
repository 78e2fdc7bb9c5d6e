import type { OtherModelUsage } from '@tallyport/wire';
import { hourWrites } from '../hour-writes.ts';
import { type Members, members, text } from '../read.ts';
import { addedCounts, type ClaudeCounts, countsOf } from './usage-counts.ts';

interface Iterations {
  /** Summaries of the conversation, which the usage of the answer does not include. */
  readonly compaction: ClaudeCounts | undefined;
  readonly otherModels: readonly OtherModelUsage[];
  /** How often a model ran. */
  readonly runs: number;
  /** Kinds that are not known and have tokens. */
  readonly unknown: readonly string[];
}

const none: Iterations = { compaction: undefined, otherModels: [], runs: 1, unknown: [] };

/** What else the vendor ran for the answer. The usage of the answer includes only iterations of the kind `message`. */
export function iterationsOf(list: readonly unknown[]): Iterations {
  if (list.length === 0) return none;
  const otherModels: OtherModelUsage[] = [];
  const unknown = new Set<string>();
  let compaction: ClaudeCounts | undefined;
  for (const each of list.map(members)) {
    const counts = countsOf(each);
    const kind = text(each.type) ?? 'unnamed';
    if (kind === 'compaction') compaction = compaction === undefined ? counts : addedCounts(compaction, counts);
    else if (kind === 'advisor_message') otherModels.push(adviceOf(each, counts));
    else if (kind !== 'message' && counts.fresh + counts.read + counts.written + counts.output > 0)
      unknown.add(`iterations.${kind.replaceAll(/[^\w.-]/g, '_')}`.slice(0, 64));
  }
  return { compaction, otherModels, runs: list.length, unknown: [...unknown] };
}

function adviceOf({ model }: Members, { fresh, read, written, hour, output }: ClaudeCounts): OtherModelUsage {
  const prompt = fresh + read + written;
  const name = text(model);
  return {
    for: 'advisor',
    ...(name !== undefined && { model: name }),
    usage: {
      prompt_tokens: prompt,
      completion_tokens: output,
      total_tokens: prompt + output,
      prompt_tokens_details: {
        cached_tokens: read,
        cache_write_tokens: written,
        ...hourWrites(written, hour),
      },
    },
  };
}
