import { clientOfKeyId, type RequestSummary } from '@tallyport/management';
import { readKeyNames } from '../screen/key-names.ts';
import type { DashboardRequest } from '../screen/route.ts';

/** Returns who made a request: the name of a key or of an application, or the id of what has no name. */
export type KeyText = (request: Pick<RequestSummary, 'keyId' | 'keyName'>) => string;

/** Requests have the names of their keys, so only the names of applications are read. */
export async function readKeyText(
  request: Pick<DashboardRequest, 'ask' | 'caller'>,
  keyIds: readonly string[],
): Promise<KeyText> {
  const nameOf = await readKeyNames(
    request,
    keyIds.filter((keyId) => clientOfKeyId(keyId) !== undefined),
  );
  return ({ keyId, keyName }) => keyName ?? nameOf(keyId);
}
