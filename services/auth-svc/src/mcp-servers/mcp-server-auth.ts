import type { McpServerAuth } from '@tallyport/contracts';
import {
  lastFour,
  type McpServerAuthInput,
  type ShownMcpServerAuth,
  shownMcpServerAuthSchema,
} from '@tallyport/management';
import { Secret } from '@tallyport/management-server';

export interface StoredAuth {
  /** For the column, without the secret. */
  shown: ShownMcpServerAuth;
  /** Absent if the server needs none. */
  secret: Secret | undefined;
}

/** Separates the secret of an authentication from the rest. */
export function splitAuth(auth: McpServerAuthInput): StoredAuth {
  switch (auth.type) {
    case 'none':
      return { shown: auth, secret: undefined };
    case 'header':
      return {
        shown: { type: 'header', name: auth.name, lastFour: lastFour(auth.value) },
        secret: new Secret(auth.value),
      };
    case 'client_credentials': {
      const { clientSecret, ...shown } = auth;
      return { shown: { ...shown, lastFour: lastFour(clientSecret) }, secret: new Secret(clientSecret) };
    }
    default:
      return auth satisfies never;
  }
}

export const readAuth = (stored: unknown): ShownMcpServerAuth => shownMcpServerAuthSchema.parse(stored);

/** The reverse of `splitAuth`. */
export function joinAuth(shown: ShownMcpServerAuth, secret: () => Secret): McpServerAuth {
  switch (shown.type) {
    case 'none':
      return shown;
    case 'header':
      return { type: 'header', name: shown.name, value: secret().reveal() };
    case 'client_credentials': {
      const { lastFour: _lastFour, ...auth } = shown;
      return { ...auth, clientSecret: secret().reveal() };
    }
    default:
      return shown satisfies never;
  }
}
