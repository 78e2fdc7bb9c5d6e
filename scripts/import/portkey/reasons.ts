import { guardrails, organization, retries, timeouts } from '../common-reasons.ts';
import type { Reason } from '../members.ts';

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
  openai_organization: organization,
  openai_project: ['Requests name no project of the vendor.', 'Use a key of that project.'],
  output_guardrails: guardrails,
  request_timeout: timeouts,
  retry: retries,
  strict_open_ai_compliance: ['Members of its own are in metadata.', ''],
  vertex_service_account_json: ['Credentials are not copied.', 'Set GOOGLE_VERTEX_CREDENTIALS.'],
};
