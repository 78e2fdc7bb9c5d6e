import type { McpServerAuth } from '@tallyport/contracts';

/** Replaces secrets in texts of a registered server, which may repeat what it was sent. */
export type RedactSecrets = (text: string) => string;

interface SecretRedaction {
  redact: RedactSecrets;
  /** Also replaces the current access token, and the one before it, which running calls were sent. */
  setToken(token: string): void;
}

const shown = '[secret]';
/** A shorter text is also part of ordinary words. */
const minLength = 6;

export function createRedaction(auth: McpServerAuth): SecretRedaction {
  const stored = secretOf(auth);
  let forms = formsOf([stored]);
  let current = '';
  return {
    redact: (text) => forms.reduce((rest, secret) => rest.replaceAll(secret, shown), text),
    setToken(token) {
      forms = formsOf([stored, current, token]);
      current = token;
    },
  };
}

/** The longest first, so that no form is replaced only in part. */
const formsOf = (secrets: readonly string[]): readonly string[] => {
  const forms = secrets
    .flatMap(withoutScheme)
    .filter((text) => text.length >= minLength)
    .flatMap(encoded);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
};

/** `Bearer abc` may be repeated without its scheme. */
const withoutScheme = (secret: string): readonly string[] => [secret, secret.split(' ').at(-1) ?? ''];

/** As it is, in a JSON document (some writers escape slashes as well), and in a URL. */
function encoded(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, inJson, inJson.replaceAll('/', String.raw`\/`), encodeURIComponent(secret.toWellFormed())];
}

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
