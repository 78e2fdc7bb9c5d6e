/** Replaces secrets in text. Text longer than 8 KiB is cut first, which bounds the cost. */
export type Redact = (text: string) => string;

const longest = 8192;
const shortestSecret = 8;

/** Patterns of secrets. Each one runs in linear time on any input. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(sk|rk|pk|xai|gsk|pplx)-[\w-]{6,}/g, '$1-[redacted]'],
  [/\bAIza[\w-]{20,}/g, '[redacted]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, '$1 [redacted]'],
  [/(:\/\/)[^\s/@]{1,512}@/g, '$1[redacted]@'],
  [
    /([?&](?:key|api[-_]?key|access_token|refresh_token|token|code|client_secret|sig|signature|x-amz-[a-z-]+)=)[^&\s"']+/gi,
    '$1[redacted]',
  ],
];

/** `secrets` are configuration values to replace wherever they appear. */
export function createRedact(secrets: readonly string[] = []): Redact {
  const known = secrets.filter((secret) => secret.length >= shortestSecret);
  return (text) => {
    const bounded = text.length > longest ? `${text.slice(0, longest)}… (cut)` : text;
    const plain = known.reduce((current, secret) => current.replaceAll(secret, '[redacted]'), bounded);
    return patterns.reduce((current, [pattern, instead]) => current.replace(pattern, instead), plain);
  };
}

const secretHeaders = /^(proxy-)?authorization$|^(set-)?cookie$|api-?key|token|secret|signature|credential/i;

/** Headers for the log: credentials keep their name and lose their value. */
export function redactHeaders(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return headers;
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name, secretHeaders.test(name) ? '[redacted]' : value]));
}
