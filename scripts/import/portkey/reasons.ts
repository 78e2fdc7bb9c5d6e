import type { Reason } from '../members.ts';

const retries: Reason = [
  'A failed request is not repeated at the same provider: the next one is tried.',
  'Set CHAT_MAX_ATTEMPTS.',
];
const timeouts: Reason = [
  'Time limits hold for the whole gateway.',
  'Set UPSTREAM_PLAIN_TIMEOUT_MS and UPSTREAM_STREAM_TIMEOUT_MS.',
];
const guardrails: Reason = [
  'Guardrails are written differently.',
  'Set settings.guardrails of the account (docs/guardrails.md).',
];
const statuses: Reason = [
  'The next model is asked after every failure of a provider, and never after an error of the client.',
  '',
];
const headers: Reason = ['Headers of clients are not passed on.', ''];
const perTarget: Reason = [
  'Answers are cached for an account, not for a target.',
  'Set cacheTtlSeconds of the account or of a key.',
];
const azure: Reason = ['Azure has one resource, and its v1 API.', 'Set AZURE_BASE_URL and AZURE_API_VERSION.'];

/** Members of a target, and of the whole config. */
export const targetReasons: Readonly<Record<string, Reason>> = {
  after_request_hooks: guardrails,
  api_version: azure,
  before_request_hooks: guardrails,
  cache: perTarget,
  forward_headers: headers,
  input_guardrails: guardrails,
  on_status_codes: statuses,
  openai_organization: ['Requests name no organization.', 'Use a key of a project of that organization.'],
  openai_project: ['Requests name no project of the vendor.', 'Use a key of that project.'],
  output_guardrails: guardrails,
  request_timeout: timeouts,
  retry: retries,
  strict_open_ai_compliance: ['Members of its own are in metadata.', ''],
  vertex_service_account_json: ['Credentials are not copied.', 'Set GOOGLE_VERTEX_CREDENTIALS.'],
};
