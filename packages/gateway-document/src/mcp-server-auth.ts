import type { McpServerEntry, SecretReference } from './document.ts';

interface AuthParts {
  /** What plans show and compare. */
  shown: object;
  /** Where the secret is, and the member that has it. */
  secret?: { member: string; reference: SecretReference };
}

/** Separates the secret of an authentication from the rest. */
export function authParts(auth: McpServerEntry['auth']): AuthParts {
  switch (auth.type) {
    case 'none':
      return { shown: auth };
    case 'header': {
      const { value: reference, ...shown } = auth;
      return { shown, secret: { member: 'value', reference } };
    }
    case 'client_credentials': {
      const { clientSecret: reference, ...shown } = auth;
      return { shown, secret: { member: 'clientSecret', reference } };
    }
    default:
      return auth satisfies never;
  }
}
