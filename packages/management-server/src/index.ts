export { createAccountTurns } from './api/account-turns.ts';
export type { ApiCaller } from './api/caller.ts';
export { checkPublicUrl } from './api/check-public-url.ts';
export { csvLine } from './api/csv-line.ts';
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
export { type AuditActor, recordAudit } from './audit/audit.ts';
export { heldPlace } from './commands/held-place.ts';
export { commandConfig, type CommandPlaces, openByCommand } from './commands/open-by-command.ts';
export { patient } from './commands/patient.ts';
export { orUnavailable, toUnavailable } from './database/database-away.ts';
export { ensureDefaultAccount } from './database/ensure-default-account.ts';
export { jsonText } from './database/json-text.ts';
export { likeText } from './database/like-text.ts';
export { makeId } from './database/make-id.ts';
export { matchesKey } from './database/matches-key.ts';
export { openConfiguredDatabase } from './database/open-database.ts';
export { aside } from './database/aside.ts';
export { prepareStorage } from './database/prepare-storage.ts';
export { checkMs, createPreparation, type Preparation, type WhenReady } from './database/preparation.ts';
export { demoAccountId, openDemoToOwners } from './demo-account/open-demo-to-owners.ts';
export { answerOwn } from './http/answer-own.ts';
export { type CallerClient, callersBy } from './http/callers.ts';
export { flowCookie, sessionCookie, type TokenCookie } from './http/cookie.ts';
export type { Identify } from './http/credentials.ts';
export { createManage, type Manage, type ManageTools } from './http/manage.ts';
export { managementApi } from './http/management-api.ts';
export { managementApp, type ManagementAppTools } from './http/management-app.ts';
export { linkOf, type OpenedLink } from './http/opened-link.ts';
export { type ProviderKeyUse, recordKeyUse } from './provider-keys/record-key-use.ts';
export { createPlannedChanges, type PlannedChanges } from './revision/planned-changes.ts';
export { readRevision } from './revision/read-revision.ts';
export { checkMasterKey } from './secrets/check-master-key.ts';
export { secretsConfig } from './secrets/config.ts';
export { createKeyRing, type KeyRing } from './secrets/key-ring.ts';
export { generateMasterKey, readMasterKey } from './secrets/master-key.ts';
export { type MasterKeySources, openKeyRing } from './secrets/open-key-ring.ts';
export {
  currentCost,
  formatHash,
  hashBytes,
  type PasswordHash,
  readHash,
  saltBytes,
  sameCost,
  type ScryptCost,
  sharedSalt,
  unusablePassword,
} from './secrets/password-hash.ts';
export type { SecretPlace } from './secrets/seal.ts';
export { Secret } from './secrets/secret.ts';
export { createSecrets, type Secrets } from './secrets/secrets.ts';
export { csrfTokenOf, hashToken, makeToken, type SessionToken } from './secrets/token.ts';
