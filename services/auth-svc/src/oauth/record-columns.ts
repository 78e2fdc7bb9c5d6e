import { sql } from '@switchyard/database';
import type { AdapterPayload } from 'oidc-provider';
import { hashClientSecret } from './client-secret.ts';
import { parseSubject } from './token-subject.ts';

/** For registrations nobody came back for. The first grant makes a client stay. */
const unusedClientSeconds = 24 * 3600;

/** A record as a row: without what it could be used by, and with whom it belongs to, whom it goes with. */
export function columnsOf(model: string, payload: AdapterPayload, expiresIn: number | undefined) {
  const seconds = expiresIn ?? (isUnbound(model, payload) ? unusedClientSeconds : undefined);
  return {
    payload: JSON.stringify(withoutSecrets(payload)),
    grant_id: payload.grantId ?? null,
    ...ownerOf(payload),
    expires_at: seconds === undefined ? null : sql<Date>`now() + make_interval(secs => ${seconds}::int)`,
  };
}

/** `jti` is the code or token itself. */
export const withoutSecrets = ({ jti: _secret, ...payload }: AdapterPayload): AdapterPayload =>
  payload.client_secret === undefined
    ? payload
    : { ...payload, client_secret: hashClientSecret(payload.client_secret) };

/** A member's where a person allowed it, the client's own account where it acts by itself. */
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
