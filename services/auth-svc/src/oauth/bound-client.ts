import type { AdapterPayload } from 'oidc-provider';
import type { AuditActor } from '../audit/audit.ts';

/** Binds a client to an account: it may act for the account without a user. */
export interface Binding {
  account_id: string;
  /** The admin key with which it was registered. */
  registered_by: AuditActor;
}

/** Only the gateway sets these properties; they are removed from client input. */
export const bindingProperties = ['account_id', 'registered_by'] as const satisfies readonly (keyof Binding)[];

export const isBound = (client: AdapterPayload): client is AdapterPayload & Binding =>
  bindingProperties.every((name) => typeof client[name] === 'string');
