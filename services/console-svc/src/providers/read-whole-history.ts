import { type CallOperation, type DailyHealth, type Incident, mostHistories, newestFirst } from '@tallyport/management';

interface History {
  days: readonly DailyHealth[];
  /** Newest first. */
  incidents: readonly Incident[];
}

/** More offers than any catalogue has. */
const mostResponses = 50;

/** Reads the history of all providers, or of all offers of one. */
export async function readWholeHistory(ask: CallOperation, query: object): Promise<History> {
  const parts: History[] = [];
  let cursor: string | undefined;
  do {
    const part = await ask('readProviderHistory', {
      ...query,
      limit: mostHistories,
      ...(cursor !== undefined && { cursor }),
    });
    parts.push(part);
    cursor = part.nextCursor;
  } while (cursor !== undefined && parts.length < mostResponses);
  return {
    days: parts.flatMap(({ days }) => days),
    incidents: newestFirst(parts.flatMap(({ incidents }) => incidents)),
  };
}
