import { sql } from '@tallyport/database';
import type { AdapterPayload } from 'oidc-provider';
import { hashClientSecret } from './client-secret.ts';
import { parseSubject } from './token-subject.ts';

/** Lifetime of an unused registration. The first grant makes a client permanent. */
const unusedClientSeconds = 24 * 3600;

/** The columns of a record: without secrets, with its owner and its grant. */
export function columnsOf(model: string, payload: AdapterPayload, expiresIn: number | undefined) {
  const seconds = expiresIn ?? (isUnbound(model, payload) ? unusedClientSeconds : undefined);
  return {
    payload: JSON.stringify(withoutSecrets(payload)),
    grant_id: payload.grantId ?? null,
    ...ownerOf(payload),
    expires_at: seconds === undefined ? null : sql<Date>`now() + make_interval(secs => ${seconds}::int)`,
  };
}

/** Removes `jti`, which is the code or token itself, and hashes the client secret. */
export const withoutSecrets = ({ jti: _secret, ...payload }: AdapterPayload): AdapterPayload =>
  payload.client_secret === undefined
    ? payload
    : { ...payload, client_secret: hashClientSecret(payload.client_secret) };

/** The owner: the member who allowed it, or the client's account if it acts without a user. */
function ownerOf(payload: AdapterPayload) {
  if (payload.accountId !== undefined) {
    const member = parseSubject(payload.accountId);
    return { account_id: member?.accountId ?? null, user_id: member?.userId ?? null };
  }
  const own = payload['account_id'] ?? payload.extra?.['account_id'];
  return { account_id: typeof own === 'string' ? own : null, user_id: null };
}

const isUnbound = (model: string, payload: AdapterPayload): boolean =>
  model === 'Client' && payload['account_id'] === undefined;
