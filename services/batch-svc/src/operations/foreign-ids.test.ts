import { type Endpoint, endpoints } from '@tallyport/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BatchBench, lineOf, openBatchBench } from '../testing/batch-bench.ts';
import type { OpenedBatch } from '../testing/open-batch.ts';

type Exchange = Parameters<OpenedBatch['ask']>[0];

const listed: readonly Endpoint[] = endpoints;
/** Every route of files and batches that has an id in its address. */
const routes = listed.filter(({ service, path }) => service === 'batch' && path.includes('{id}'));

let bench: BatchBench;
let ids: readonly string[];
beforeAll(async () => {
  bench = await openBatchBench();
  const batch = await bench.ended((await bench.create(lineOf('a')))['id']);
  const { id } = await bench.createMessages([{ custom_id: 'a', params: {} }]);
  await bench.endedMessages(id);
  ids = [batch['id'], batch['input_file_id'], batch['output_file_id'], id].map(String);
});
afterAll(() => bench.close());

const pathOf = ({ path }: Endpoint, id: string): string => path.slice(path.indexOf('{id}')).replace('{id}', id);
const codesOf = (route: Endpoint, owner: object): Promise<unknown[]> =>
  Promise.all(
    ids.map((id) =>
      bench.ask(route.exchange as Exchange, { ...owner, path: pathOf(route, id) }).then(
        () => 'found',
        ({ code }: { code: string }) => code,
      ),
    ),
  );

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s knows no id of another account or project',
  async (_name, route) => {
    for (const owner of [{ accountId: 'other' }, { projectId: 'p' }, { accountId: 'other', projectId: 'p' }])
      expect(await codesOf(route, owner)).toEqual(ids.map(() => 'not_found'));
  },
);

test('every one of these routes knows an id of its own account', async () => {
  // What deletes is last: its ids are not found afterwards.
  const order = routes.toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'));
  for (const route of order)
    expect([route.path, (await codesOf(route, {})).some((code) => code !== 'not_found')]).toEqual([route.path, true]);
});
