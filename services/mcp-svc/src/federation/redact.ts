import type { McpServerAuth } from '@switchyard/contracts';

/** Replaces secrets in texts of a registered server, which may repeat what it was sent. */
export type RedactSecrets = (text: string) => string;

interface SecretRedaction {
  redact: RedactSecrets;
  /** Also replaces the current access token. */
  setToken(token: string): void;
}

const shown = '[secret]';
/** A shorter text is also part of ordinary words. */
const minLength = 6;

export function createRedaction(auth: McpServerAuth): SecretRedaction {
  const stored = formsOf(secretOf(auth));
  let token: readonly string[] = [];
  return {
    redact: (text) => [...stored, ...token].reduce((rest, secret) => rest.replaceAll(secret, shown), text),
    setToken(current) {
      token = formsOf(current);
    },
  };
}

/** `Bearer abc` may be repeated without its scheme. */
const formsOf = (secret: string): readonly string[] =>
  [secret, secret.split(' ').at(-1) ?? ''].filter((text) => text.length >= minLength);

function secretOf(auth: McpServerAuth): string {
  switch (auth.type) {
    case 'none':
      return '';
    case 'header':
      return auth.value;
    case 'client_credentials':
      return auth.clientSecret;
    default:
      return auth satisfies never;
  }
}
