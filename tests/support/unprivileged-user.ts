import { readFile } from 'node:fs/promises';

interface User {
  uid: number;
  gid: number;
}

/** The user that runs a server which refuses root: `postgres`, else `nobody`; `undefined` if we are not root. */
export async function unprivilegedUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const entry = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody');
  if (!entry) throw new Error('Postgres refuses to run as root, and there is neither a user postgres nor nobody.');
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}
