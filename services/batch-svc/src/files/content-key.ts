import type { KeyObject } from 'node:crypto';
import type { Queries } from '@tallyport/database';
import { Secret, type SecretPlace, type Secrets } from '@tallyport/management-server';
import { contentKeyOf, newContentKey } from '../sealing/sealed-content.ts';
import type { FileOwner } from './file-owner.ts';
import type { FileTools } from './file-tools.ts';

/** A file whose content is sealed with a key of its own, or a batch with its results. */
type SealedFile = Pick<FileOwner, 'accountId'> & { id: string };

const placeOf = ({ id, accountId }: SealedFile): SecretPlace => ({ id, purpose: 'file', accountId });

/** Makes the key of a file. It is kept among the secrets, so a new master key covers it, and it goes with its file. */
export async function makeContentKey(queries: Queries, secrets: Secrets, file: SealedFile): Promise<KeyObject> {
  const key = newContentKey();
  await secrets.keep(queries, placeOf(file), new Secret(key.export().toString('base64url')));
  return key;
}

export async function readContentKey(
  { database, secrets }: Pick<FileTools, 'database' | 'secrets'>,
  file: SealedFile,
): Promise<KeyObject> {
  const secret = await secrets.read(database.kysely, placeOf(file));
  if (secret === undefined) throw new Error(`The key of ${file.id} is missing.`);
  return contentKeyOf(Buffer.from(secret.reveal(), 'base64url'));
}
