import { rm } from 'node:fs/promises';
import { describeDatabase } from '../database.suite.ts';
import { openDatabase } from '../index.ts';
import { preparedDirectory } from '../testing/index.ts';

describeDatabase('the embedded database in a directory', async () => {
  const directory = await preparedDirectory();
  const database = await openDatabase({ directory });
  const remove = async () => {
    await database.close();
    await rm(directory, { recursive: true });
  };
  return { database, remove };
});
