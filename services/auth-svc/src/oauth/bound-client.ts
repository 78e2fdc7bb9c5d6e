import type { IncomingMessage } from 'node:http';
import type { AdapterPayload } from 'oidc-provider';
import type { AuditActor } from '@tallyport/management-server';

/** Binds a client to an account: it may act for the account without a user. */
export interface Binding {
  account_id: string;
  /** The admin key with which it was registered. */
  registered_by: AuditActor;
}

export const bindingProperties = ['account_id', 'registered_by'] as const satisfies readonly (keyof Binding)[];

const bindings = new WeakMap<IncomingMessage, Binding>();

/** Binds the client that this request registers. */
export const bindRegistration = (request: IncomingMessage, binding: Binding): void =>
  void bindings.set(request, binding);

/** Replaces what a client stated about its own binding by the one that the gateway decided on for this request. */
export function setBinding(metadata: Record<string, unknown>, request: IncomingMessage | undefined): void {
  for (const name of bindingProperties) delete metadata[name];
  Object.assign(metadata, request && bindings.get(request));
}

export const isBound = (client: AdapterPayload): client is AdapterPayload & Binding =>
  bindingProperties.every((name) => typeof client[name] === 'string');
