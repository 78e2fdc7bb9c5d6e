import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where systems put the socket of a server with the usual port. */
const usualFolders = ['/var/run/postgresql', '/tmp'];

/** Whether a Postgres server runs on this machine. */
export async function hasLocalPostgres(folders: readonly string[] = usualFolders): Promise<boolean> {
  const found = await Promise.all(folders.map((folder) => isSocket(join(folder, '.s.PGSQL.5432'))));
  return found.includes(true);
}

const isSocket = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isSocket(),
    () => false,
  );
