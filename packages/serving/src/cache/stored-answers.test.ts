import { randomUUID } from 'node:crypto';
import { openStore, type Store } from '@tallyport/store';
import { afterAll, beforeAll } from 'vitest';
import { storedAnswersSuite } from './stored-answers.suite.ts';

/** Set for every run by tests/support. */
const url = process.env['TEST_REDIS_URL'] ?? '';

const stores: Store[] = [];
beforeAll(async () => {
  stores.push(await openStore({ url, prefix: `${randomUUID()}:` }), await openStore({}));
});
afterAll(() => Promise.all(stores.map((store) => store.close())));

for (const [index, name] of ['Redis', 'memory'].entries()) storedAnswersSuite(name, () => stores[index]!);
