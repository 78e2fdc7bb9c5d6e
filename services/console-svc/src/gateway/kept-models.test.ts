import { createClient, inProcessLink, serve } from '@tallyport/bus';
import { catalogService, service } from '@tallyport/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createKeptModels, type KeptModels, mostLists, mostModels } from './kept-models.ts';

const link = inProcessLink();
const catalog = service('catalog', { listModels: catalogService.operations.listModels });
const client = createClient(link, catalog);
/** What catalog-svc lists for an account, by its ETag. */
let listOf: (account: string) => { etag: string; body: string };
/** The status of each answer. */
let answered: number[];
let models: KeptModels;

const model = (id: string) => ({
  id,
  name: id,
  family: 'f',
  description: '',
  aliases: [],
  architecture: { input_modalities: ['text'], output_modalities: ['text'] },
  available: true,
  providers: [],
  pricing: {},
  per_request_limits: {},
  structured_outputs: false,
  json_output: false,
});

const documentOf = (...ids: string[]) => ({
  etag: `"${ids.join('-').slice(0, 40)}"`,
  body: JSON.stringify({ data: ids.map(model) }),
});

beforeAll(async () => {
  await serve(link, catalog, {
    async listModels({ head, body }) {
      body.cancel();
      const { etag, body: text } = listOf(head.principal?.accountId ?? '');
      const isSame = (head.headers['if-none-match'] ?? '').split(', ').includes(etag);
      answered.push(isSame ? 304 : 200);
      const headers = { etag };
      if (isSame) return { head: { status: 304, headers }, body: new Uint8Array(0) };
      return { head: { status: 200, headers }, body: Buffer.from(text) };
    },
  });
});
beforeEach(() => {
  answered = [];
  models = createKeptModels();
});
afterAll(() => link.close());

const read = (accountId: string) =>
  models.read((headers) =>
    client.listModels({
      head: { requestId: 'r', timeoutMs: 2_000, headers, principal: { accountId, keyId: 'session' } },
      body: new Uint8Array(0),
    }),
  );

const idsOf = async (account: string): Promise<string[]> => (await read(account)).map(({ id }) => id);

test('a list is sent and parsed once, until it changes', async () => {
  listOf = () => documentOf('a', 'b');
  const first = await read('acme');
  expect(first).toEqual([model('a'), model('b')]);
  expect(await read('acme')).toBe(first);
  listOf = () => documentOf('a');
  expect(await idsOf('acme')).toEqual(['a']);
  listOf = () => documentOf('a', 'b');
  expect(await read('acme')).toBe(first);
  expect(answered).toEqual([200, 304, 200, 304]);
});

test('an account gets its own list, also while those of others are kept', async () => {
  listOf = (account) => documentOf(`of-${account}`);
  for (const account of ['one', 'two', 'one']) expect(await idsOf(account)).toEqual([`of-${account}`]);
  expect(answered).toEqual([200, 200, 304]);
});

test('the list that was not used for longest is sent again if there are too many', async () => {
  listOf = (account) => documentOf(account);
  const accounts = Array.from({ length: mostLists }, (_, at) => `account-${at}`);
  for (const account of [...accounts, 'account-0', 'another', 'account-0', 'account-1']) await read(account);
  expect(answered.slice(mostLists)).toEqual([304, 200, 304, 200]);
});

test('a list with too many models is not kept, and those of others are', async () => {
  const many = Array.from({ length: mostModels }, (_, at) => String(at));
  listOf = (account) => documentOf(account, ...(account === 'large' ? many : []));
  await read('small');
  expect((await read('large')).length).toBe(mostModels + 1);
  await read('large');
  await read('small');
  expect(answered).toEqual([200, 200, 200, 304]);
});
