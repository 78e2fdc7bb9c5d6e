import type { AdapterPayload } from 'oidc-provider';
import type { AuditActor } from '../audit/audit.ts';

/** What makes a client one of an account: it may act for it without a person. */
export interface Binding {
  account_id: string;
  /** Whose admin key it was registered with. */
  registered_by: AuditActor;
}

/** Clients cannot say so of themselves: only we do. */
export const bindingProperties = ['account_id', 'registered_by'] as const satisfies readonly (keyof Binding)[];

export const isBound = (client: AdapterPayload): client is AdapterPayload & Binding =>
  bindingProperties.every((name) => typeof client[name] === 'string');
