import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { clientId } from './company.ts';

export const acme = (issuer: string, changes: object = {}) => ({
  id: 'acme',
  name: 'Acme',
  issuer,
  clientId,
  clientSecret: { variable: 'IDENTITY_SECRET_ACME' },
  scopes: ['email', 'groups'],
  access: [
    { claim: 'groups', value: 'platform', account: 'default', role: 'owner' },
    { claim: 'groups', value: 'developers', account: 'default', role: 'member' },
  ],
  ...changes,
});

/** Replaces the file at once, as a mounted ConfigMap does. */
export async function writeIdentity(directory: string, document: object | string): Promise<string> {
  const file = join(directory, 'identity.yaml');
  const text = typeof document === 'string' ? document : stringify(document);
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
  return file;
}
