export { createAccountTurns } from './api/account-turns.ts';
export type { ApiCaller } from './api/caller.ts';
export { checkPublicUrl } from './api/check-public-url.ts';
export { endpointsByName } from './api/endpoints-by-name.ts';
export { isLocalHost } from './api/is-local-host.ts';
export { mapInTurns } from './api/map-in-turns.ts';
export {
  type AnyApiEndpoint,
  type ApiEndpoint,
  type ApiRequest,
  endpoint,
  notSignedIn,
  openEndpoint,
  streamEndpoint,
} from './api/operation.ts';
export { parseInput } from './api/parse-input.ts';
export { type Attempts, createAttempts } from './attempts/attempts.ts';
export { askedFrom } from './audit/asked-from.ts';
export { type AuditActor, recordAudit } from './audit/audit.ts';
export { databaseAway, orUnavailable, toUnavailable } from './database/database-away.ts';
export { jsonText } from './database/json-text.ts';
export { likeText } from './database/like-text.ts';
export { makeId } from './database/make-id.ts';
export { matchesKey } from './database/matches-key.ts';
export { openConfiguredDatabase } from './database/open-database.ts';
export { flowCookie, sessionCookie, type TokenCookie } from './http/cookie.ts';
export type { Identify } from './http/credentials.ts';
export { errorHandler } from './http/errors.ts';
export { createManage, type Manage, type ManageTools } from './http/manage.ts';
export { managementApi } from './http/management-api.ts';
export { checkMasterKey } from './secrets/check-master-key.ts';
export { secretsConfig } from './secrets/config.ts';
export { createKeyRing, type KeyRing } from './secrets/key-ring.ts';
export { generateMasterKey, readMasterKey } from './secrets/master-key.ts';
export { type MasterKeySources, openKeyRing } from './secrets/open-key-ring.ts';
export type { SecretPlace } from './secrets/seal.ts';
export { Secret } from './secrets/secret.ts';
export { createSecrets, type Secrets } from './secrets/secrets.ts';
export { csrfTokenOf, hashToken, makeToken, type SessionToken } from './secrets/token.ts';
