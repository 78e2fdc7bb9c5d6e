import { createKey, operator } from '../../services/auth-svc/src/keys/create-key.ts';
import type { Gateway } from '../gateway/in-process.ts';

/** Creates an admin key of the gateway, as `npm run key` does. */
export async function createAdminKey({ database }: Pick<Gateway, 'database'>): Promise<string> {
  const { key } = await createKey(database, operator, { name: 'tests', admin: true });
  return key;
}
