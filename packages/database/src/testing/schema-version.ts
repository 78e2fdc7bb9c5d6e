import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Names a template of a migrated database: changes with every migration, and with the program that `program` names. */
export function schemaVersion(program = ''): string {
  const folder = fileURLToPath(new URL('../migrations', import.meta.url));
  const migrations = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  return hash('sha256', JSON.stringify([program, migrations])).slice(0, 12);
}
