import type { Kysely, Selectable } from 'kysely';
import type {
  AlertAddressesTable,
  AlertDeliveriesTable,
  AlertEventsTable,
  AlertFiringsTable,
  AlertsTable,
} from './schema/alerts.ts';
import type { BatchesTable, BatchLinesTable, BatchPartsTable, VendorBatchesTable } from './schema/batches.ts';
import type { RequestContentsTable } from './schema/contents.ts';
import type { FilesTable } from './schema/files.ts';
import type {
  ApiKeysTable,
  CatalogueOverridesTable,
  GuardWebhooksTable,
  McpServersTable,
  OauthRecordsTable,
  PriceListsTable,
  PriceVersionsTable,
  ProviderKeysTable,
  RoutesTable,
  SecretsTable,
  UsageAsideTable,
  WorkloadKeysTable,
} from './schema/keys.ts';
import type {
  AccountsTable,
  AuditLogTable,
  InvitationsTable,
  LogoutTokensTable,
  MembershipsTable,
  PasswordLinksTable,
  ProjectMembersTable,
  ProjectsTable,
  SessionsTable,
  SetupLinksTable,
  SignInFlowsTable,
  UserIdentitiesTable,
  UsersTable,
} from './schema/people.ts';

/** Does not include the usage tables, whose SQL is built from the usage fields in contracts. */
export interface Schema {
  accounts: AccountsTable;
  alert_addresses: AlertAddressesTable;
  alert_deliveries: AlertDeliveriesTable;
  alert_events: AlertEventsTable;
  alert_firings: AlertFiringsTable;
  alerts: AlertsTable;
  api_keys: ApiKeysTable;
  audit_log: AuditLogTable;
  batch_lines: BatchLinesTable;
  batch_parts: BatchPartsTable;
  batches: BatchesTable;
  catalogue_overrides: CatalogueOverridesTable;
  files: FilesTable;
  guard_webhooks: GuardWebhooksTable;
  invitations: InvitationsTable;
  logout_tokens: LogoutTokensTable;
  memberships: MembershipsTable;
  mcp_servers: McpServersTable;
  oauth_records: OauthRecordsTable;
  password_links: PasswordLinksTable;
  project_members: ProjectMembersTable;
  price_lists: PriceListsTable;
  price_versions: PriceVersionsTable;
  projects: ProjectsTable;
  provider_keys: ProviderKeysTable;
  request_contents: RequestContentsTable;
  routes: RoutesTable;
  secrets: SecretsTable;
  sessions: SessionsTable;
  setup_links: SetupLinksTable;
  sign_in_flows: SignInFlowsTable;
  usage_aside: UsageAsideTable;
  user_identities: UserIdentitiesTable;
  users: UsersTable;
  vendor_batches: VendorBatchesTable;
  workload_keys: WorkloadKeysTable;
}

/** The database or a transaction, on which queries run. */
export type Queries = Kysely<Schema>;

/** A row as returned by a select. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
