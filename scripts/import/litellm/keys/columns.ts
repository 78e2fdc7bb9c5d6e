import type { LeftOvers, Path } from '../../left-over.ts';
import type { Reason } from '../../members.ts';
import type { Row, Table } from './read-dump.ts';
import { isSet } from './row-values.ts';

/** Columns that are carried over, or that only describe the row. */
const known: Readonly<Record<Exclude<Table, 'budgets'>, ReadonlySet<string>>> = {
  keys: new Set(
    'token key_name key_alias spend expires models team_id blocked tpm_limit rpm_limit max_parallel_requests max_budget budget_duration budget_reset_at budget_id created_at created_by updated_at updated_by last_active rotation_count last_rotation_at key_rotation_at model_spend soft_budget_cooldown litellm_budget_table'.split(
      ' ',
    ),
  ),
  teams: new Set(
    'team_id team_alias spend models blocked tpm_limit rpm_limit max_parallel_requests max_budget budget_duration budget_reset_at budget_id created_at updated_at model_spend model_id litellm_model_table litellm_budget_table keys'.split(
      ' ',
    ),
  ),
};

const accounts: Reason = ['Teams belong to one account here.', 'Make an account for each organization.'];
const people: Reason = [
  'People are invited by their e-mail address.',
  'Write members of the account and its projects.',
];
const groups: Reason = ['Keys have lists of models, no groups of them.', 'Name the models in allowedModels.'];
const routing: Reason = ['Routes hold for all keys of an account.', 'Write a condition of a route (docs/routing.md).'];
const models: Reason = ['Budgets are not divided by model.', 'Make a key for each model.'];

const reasons: Readonly<Record<string, Reason>> = {
  access_group_ids: groups,
  admins: people,
  aliases: routing,
  allowed_routes: ['Keys are limited by models, providers and MCP tools.', 'Set allowedModels or allowedProviders.'],
  auto_rotate: ['Keys do not rotate by themselves.', 'Call POST /api/v1/keys/{id}/rotate.'],
  budget_limits: models,
  config: routing,
  members: people,
  members_with_roles: people,
  metadata: ['Keys and projects have no metadata.', 'Keep it where you manage the keys.'],
  model_max_budget: models,
  object_permission_id: ['MCP tools are allowed by their names here.', 'Set allowedMcpTools.'],
  organization_id: accounts,
  policies: ['Guardrails are written differently.', 'Set guardrails of the key (docs/guardrails.md).'],
  rotation_interval: ['Keys do not rotate by themselves.', 'Call POST /api/v1/keys/{id}/rotate.'],
  router_settings: routing,
  soft_budget: ['A budget has alerts instead.', 'Write an alert at a part of it (docs/alerts.md).'],
  user_id: people,
};

const unknownColumn: Reason = [
  'The importer does not know this column.',
  'Look for its purpose in docs/config-as-code.md.',
];

/** Reports the columns with a value that were not carried over. */
export function reportColumns(
  table: keyof typeof known,
  row: Row,
  { path, left }: { path: Path; left: LeftOvers },
): void {
  for (const name of Object.keys(row)) {
    if (known[table].has(name) || !isSet(row, name)) continue;
    left.add([...path, name], ...(Object.hasOwn(reasons, name) ? reasons[name]! : unknownColumn));
  }
}
