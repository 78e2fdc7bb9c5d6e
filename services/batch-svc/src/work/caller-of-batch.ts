import type { Principal } from '@tallyport/contracts';
import type { StoredBatch } from '../batches/stored-batches.ts';
import type { WorkTools } from './work-tools.ts';

/** What the key of the batch may do now; `undefined` if the batch has lost it. */
export async function callerOfBatch(
  { callerOfKey }: Pick<WorkTools, 'callerOfKey'>,
  batch: StoredBatch,
): Promise<Principal | undefined> {
  const { caller } = await callerOfKey({ keyId: batch.keyId });
  return caller !== null && isOwner(caller.principal, batch) ? caller.principal : undefined;
}

/** Its lines run in the project of the batch, whose keys read the results. */
const isOwner = ({ accountId, projectId }: Principal, batch: StoredBatch): boolean =>
  accountId === batch.accountId && (projectId ?? null) === batch.projectId;
