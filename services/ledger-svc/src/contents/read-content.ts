import { GatewayError, type KeptTexts, keptTextsSchema } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { type ApiCaller, recordAudit } from '@tallyport/management-server';
import type { ContentKeys } from './content-keys.ts';
import { contentPlace } from './content-place.ts';

/** Returns the content of a request of the caller's account. Nothing is returned without an entry in the audit log. */
export function readContent(
  { database, contentKeys }: { database: Database; contentKeys: ContentKeys },
  { accountId, actor }: ApiCaller,
  id: string,
): Promise<KeptTexts> {
  return database.kysely.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('request_contents')
      .select(['content_key', 'sealed'])
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (row === undefined) throw notKept();
    await recordAudit(transaction, { accountId, actor, action: 'content.read', subject: id });
    const key = await contentKeys.open(transaction, accountId, row.content_key);
    const secret = key.unseal({ key_id: row.content_key, sealed: row.sealed }, contentPlace(id, accountId));
    if (secret === undefined) throw changed(id);
    return keptTextsSchema.parse(JSON.parse(secret.reveal()));
  });
}

const notKept = (): GatewayError =>
  new GatewayError(
    'not_found',
    "Prompt and answer of this request are not kept: the account's contentLog was off, they have expired, were deleted, or could not be stored; or the request was refused or answered from the cache.",
  );

const changed = (id: string): GatewayError =>
  new GatewayError('unavailable', 'Prompt and answer of this request cannot be decrypted.', {
    detail: `the content ${id} was changed in the database or belongs to another request`,
  });
