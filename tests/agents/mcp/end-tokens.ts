import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Matches JSON, and JSON inside a JSON string. */
const accessToken = /(access_token\\?": ?\\?")[^"\\]+/g;

/** Replaces every access token in these files with an unknown one, as if it had expired. Rejects if there is none. */
export async function endAccessTokens(home: string, files: string): Promise<void> {
  let ended = 0;
  for await (const file of glob(files, { cwd: home })) {
    const path = join(home, file);
    const text = await readFile(path, 'utf8');
    const changed = text.replace(accessToken, (_match, start: string) => `${start}ended`);
    if (changed === text) continue;
    await writeFile(path, changed);
    ended += 1;
  }
  if (ended === 0) throw new Error(`There is no access token in ${files}.`);
}
