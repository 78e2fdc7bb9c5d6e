import { journal, service } from '@tallyport/contracts';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createClient } from './client.ts';
import { inProcessLink } from './in-process.ts';

let turns = 0;
let counting: NodeJS.Immediate | undefined;
const countTurns = (): void => {
  turns += 1;
  counting = setImmediate(countTurns);
};
afterEach(() => clearImmediate(counting));

test('other work goes on while a large batch is read', async () => {
  const readAt: number[] = [];
  const entry = z.object({ id: z.string() }).refine(() => readAt.push(turns));
  const link = inProcessLink();
  const { sales } = createClient(link, service('shop', { sales: journal(entry) }));
  for (let id = 0; id < 60; id += 1) await sales.append({ id: String(id) });

  countTurns();
  const batches: number[] = [];
  await sales.consume(async (entries) => void batches.push(entries.length));
  await expect.poll(() => batches).toEqual([60]);

  const perTurn = Map.groupBy(readAt, (turn) => turn).values();
  expect([...perTurn].map(({ length }) => length)).toEqual([25, 25, 10]);
  await link.close();
});
