import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maps a long list in several turns of the event loop: other requests are served in between. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
  perTurn = 500,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % perTurn === 0) await nextTurn();
    results.push(map(item));
  }
  return results;
}
