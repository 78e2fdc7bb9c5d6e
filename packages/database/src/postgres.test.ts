import { afterAll } from 'vitest';
import { startPostgres } from '../../../tests/support/servers.ts';
import { describeDatabase } from './database.suite.ts';
import { openDatabase } from './index.ts';
import { createTestDatabase } from './testing/index.ts';

const given = process.env['TEST_DATABASE_URL'];
const own = given ? undefined : await startPostgres();
const serverUrl = given || (own?.url ?? '');
afterAll(() => own?.stop());

describeDatabase('Postgres', async () => {
  const { url, drop } = await createTestDatabase(serverUrl);
  const database = await openDatabase({ url });
  const remove = async () => {
    await database.close();
    await drop();
  };
  return { database, remove };
});
