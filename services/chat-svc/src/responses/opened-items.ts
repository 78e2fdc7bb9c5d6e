import {
  compactionsOf,
  type EarlierItems,
  type ListedItem,
  openedCompaction,
  sealedSummaryOf,
  sinceCompaction,
} from '@tallyport/dialects';
import type { Compactions, SealedCompaction } from '../compaction/compactions.ts';
import type { GuardStored } from './guard-stored.ts';
import type { ResponseOwner } from './stored-responses.ts';

interface Opening {
  owner: ResponseOwner;
  compactions: Compactions;
  guard: GuardStored;
  /** The member that names the earlier items. */
  param: string;
}

/**
 * The items of a request, with the summaries of compactions as a model reads them. Of earlier items, those that a
 * compaction stands for are left out. Summaries are answers of a model, and inspected as those.
 */
export async function openCompactions(
  body: unknown,
  { earlier, referenced }: EarlierItems,
  { owner, compactions, guard, param }: Opening,
): Promise<EarlierItems> {
  const since = sinceCompaction(earlier);
  const ofEarlier = since.flatMap((item, at) => sealedAt(item, at, param));
  const ofInput = [
    ...[...referenced].flatMap(([at, item]) => sealedAt(item, at, memberAt(at))),
    ...compactionsOf(body).map(({ sealed, at }) => ({ sealed, at, param: memberAt(at) })),
  ];
  const summaries = await compactions.open(owner, [...ofEarlier, ...ofInput]);
  if (summaries.length === 0) return { earlier: since, referenced };
  const [texts] = await guard([{ input: [], output: summaries.map(openedCompaction) }]);
  const opened = texts?.output ?? [];
  const inEarlier = placed(ofEarlier, opened);
  return {
    earlier: since.map((item, at) => inEarlier.get(at) ?? item),
    referenced,
    opened: placed(ofInput, opened.slice(ofEarlier.length)),
  };
}

interface PlacedSeal extends SealedCompaction {
  at: number;
}

function sealedAt(item: ListedItem, at: number, param: string): PlacedSeal[] {
  const sealed = sealedSummaryOf(item);
  return sealed === undefined ? [] : [{ sealed, at, param }];
}

const memberAt = (at: number): string => `input[${at}].encrypted_content`;

const placed = (places: readonly PlacedSeal[], items: readonly ListedItem[]): Map<number, ListedItem> =>
  new Map(
    places.flatMap(({ at }, index): [number, ListedItem][] => {
      const item = items[index];
      return item === undefined ? [] : [[at, item]];
    }),
  );
