import { defaults, guardrails, organization, retries, timeouts } from '../common-reasons.ts';
import type { Reason } from '../members.ts';

const limitsOfKeys: Reason = [
  'Providers have no limits of their own here: a provider that asks for a pause is left out until it ends.',
  'Limit keys, projects or accounts (docs/operate.md).',
];
const cooldown: Reason = [
  'A provider that fails is left out by its breaker and gets its share back by trial requests.',
  'Set ROUTING_BREAKER_FAILURES_IN_A_ROW and ROUTING_BREAKER_RESET_MS.',
];
const dropped: Reason = ['Sampling hints that a model does not know are always left out, other members never.', ''];
const tags: Reason = ['Models have no tags.', 'Write a condition of a route (docs/routing.md).'];
const passThrough: Reason = [
  'There are no routes that pass requests through.',
  'Call the API of the vendor that the gateway serves.',
];
const longPrompts: Reason = ['A prompt that is too long for a model is always noticed.', ''];
const redis: Reason = ['State is shared through one Redis.', 'Set REDIS_URL.'];
const logs: Reason = [
  'Logs and traces go to where the gateway runs.',
  'Set LOG_LEVEL and OTEL_EXPORTER_OTLP_ENDPOINT.',
];
const callbacks: Reason = [
  'Callbacks of LiteLLM do not exist here.',
  'Traces are exported by OTLP (OTEL_EXPORTER_OTLP_ENDPOINT), metrics for Prometheus, usage by the API (docs/operate.md).',
];
const alerts: Reason = ['Alerts belong to accounts.', 'Write alerts into gateway.yaml (docs/alerts.md).'];
const signIn: Reason = ['Sign-in is configured in a document of its own.', 'Write IDENTITY_CONFIG (docs/identity.md).'];
const retention: Reason = ['Records have one retention.', 'Set USAGE_RETENTION_DAYS.'];
const contents: Reason = [
  'Prompts and answers are only kept for accounts that want it.',
  'Set contentLog of the account.',
];
const database: Reason = ['The gateway has a database of its own.', 'Set DATABASE_URL to a new database.'];

/** `litellm_params` of a deployment. */
export const deploymentReasons: Readonly<Record<string, Reason>> = {
  api_version: ['The v1 API of Azure has no versions.', 'Set AZURE_API_VERSION if your resource needs one.'],
  cooldown_time: cooldown,
  drop_params: dropped,
  max_parallel_requests: limitsOfKeys,
  max_retries: retries,
  max_tokens: defaults,
  num_retries: retries,
  organization,
  stream_timeout: timeouts,
  tags,
  temperature: defaults,
  timeout: timeouts,
  use_in_pass_through: passThrough,
};

export const routerReasons: Readonly<Record<string, Reason>> = {
  allowed_fails: cooldown,
  allowed_fails_policy: cooldown,
  cache_kwargs: redis,
  cooldown_time: cooldown,
  default_litellm_params: defaults,
  default_max_parallel_requests: limitsOfKeys,
  disable_cooldowns: cooldown,
  enable_pre_call_check: longPrompts,
  enable_pre_call_checks: longPrompts,
  enable_tag_filtering: tags,
  max_fallbacks: ['A route has five models after its targets at most.', ''],
  num_retries: retries,
  redis_db: redis,
  redis_host: redis,
  redis_password: redis,
  redis_port: redis,
  redis_url: redis,
  retry_after: retries,
  retry_policy: retries,
  routing_strategy_args: ['The score has weights of its own.', 'Set ROUTING_*_WEIGHT (docs/routing.md).'],
  stream_timeout: timeouts,
  tag_filtering_match_any: tags,
  timeout: timeouts,
};

export const settingReasons: Readonly<Record<string, Reason>> = {
  ...routerReasons,
  callbacks,
  drop_params: dropped,
  failure_callback: callbacks,
  json_logs: logs,
  key_generation_settings: ['Members create their own keys, and admins all.', 'Give people roles (docs/projects.md).'],
  langfuse_default_tags: callbacks,
  max_budget: ['LiteLLM has one budget of the proxy.', 'Set settings.budget of each account.'],
  modify_params: dropped,
  redact_user_api_key_info: callbacks,
  request_timeout: timeouts,
  service_callbacks: callbacks,
  set_verbose: logs,
  success_callback: callbacks,
  turn_off_message_logging: contents,
};

export const generalReasons: Readonly<Record<string, Reason>> = {
  alert_to_webhook_url: alerts,
  alert_types: alerts,
  alerting: alerts,
  alerting_args: alerts,
  alerting_threshold: alerts,
  allowed_ips: ['Addresses are limited for each key.', 'Set allowedAddresses of the keys.'],
  completion_model: ['A request names its model.', 'Send model.'],
  custom_auth: [
    'There is no code of your own in the gateway.',
    'Use workload identity (docs/workload-identity.md) or keys.',
  ],
  custom_sso: signIn,
  database_connection_pool_limit: database,
  database_connection_timeout: database,
  database_url: database,
  disable_spend_logs: ['Every request is recorded.', ''],
  enable_jwt_auth: signIn,
  enforce_user_param: ['The end user is optional.', 'Give end users a budget with endUserBudget (docs/end-users.md).'],
  global_max_parallel_requests: [
    'Concurrency is limited for accounts.',
    'Set LIMIT_CONCURRENT_REQUESTS or settings.limits.concurrency.',
  ],
  litellm_jwtauth: signIn,
  master_key: ['Keys are made by the gateway.', 'Create an admin key: npm run key -- create operations --admin'],
  max_parallel_requests: limitsOfKeys,
  max_request_size_mb: ['The size of a request is limited in bytes.', 'Set MAX_BODY_BYTES.'],
  maximum_spend_logs_retention_interval: retention,
  maximum_spend_logs_retention_period: retention,
  pass_through_endpoints: passThrough,
  store_model_in_db: [
    'Models are in tallyport.yaml.',
    'Export those of the database into the file first: GET /model/info.',
  ],
  store_prompts_in_spend_logs: contents,
};

export const rootReasons: Readonly<Record<string, Reason>> = {
  callback_settings: callbacks,
  environment_variables: [
    'The gateway reads its own environment.',
    'Set the variables of the providers where the gateway runs.',
  ],
  guardrails,
  include: ['Only one file is read.', 'Import each file by itself.'],
  mcp_servers: ['MCP servers are written differently.', 'Write mcpServers into gateway.yaml (docs/mcp-federation.md).'],
};
