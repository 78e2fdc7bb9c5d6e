import { GatewayError, type Principal, type RequestHead } from '@tallyport/contracts';
import type { BatchTools } from './batch-tools.ts';

/**
 * The key that a batch belongs to. Its lines run after its request has ended, as the key may run them then; tokens, which
 * end earlier, cannot be asked for again.
 */
export async function keyOf({ callerOfKey }: BatchTools, { principal }: RequestHead): Promise<Principal> {
  if (principal === undefined) throw new GatewayError('invalid_api_key', 'Batches need an API key.');
  const { caller } = await callerOfKey({ keyId: principal.keyId });
  if (caller?.principal.accountId === principal.accountId) return principal;
  throw new GatewayError('permission_denied', 'A batch needs an API key, because a token ends before it. Send a key.');
}
