import type { Reason } from './members.ts';

/** Reasons for members that several gateways have. */
export const defaults: Reason = ['Requests have no default members.', 'Send it with the request.'];
export const guardrails: Reason = [
  'Guardrails are written differently.',
  'Set settings.guardrails of the account (docs/guardrails.md).',
];
export const organization: Reason = ['Requests name no organization.', 'Use a key of a project of that organization.'];
export const retries: Reason = [
  'A failed request is not repeated at the same provider: the next one is tried.',
  'Set CHAT_MAX_ATTEMPTS.',
];
export const timeouts: Reason = [
  'Time limits hold for the whole gateway.',
  'Set UPSTREAM_PLAIN_TIMEOUT_MS and UPSTREAM_STREAM_TIMEOUT_MS.',
];
