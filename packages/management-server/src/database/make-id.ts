import { randomUUID } from 'node:crypto';

type IdKind =
  | 'account'
  | 'alert'
  | 'alert_delivery'
  | 'alert_event'
  | 'client'
  | 'invitation'
  | 'key'
  | 'mcp_server'
  | 'project'
  | 'guard_webhook'
  | 'provider_key'
  | 'reconciliation'
  | 'session'
  | 'user';

/** Makes an id that starts with its kind. */
export const makeId = (kind: IdKind): string => `${kind}_${randomUUID().replaceAll('-', '')}`;
