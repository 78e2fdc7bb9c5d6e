export type Claims = Readonly<Record<string, unknown>>;

/** At most 255 characters, as OpenID Connect says; no control characters and halves of surrogate pairs. */
const identifier = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** Returns the claim if it can be the id of a person or of a session at an identity provider. */
export const identifierOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && identifier.test(claim) ? claim : undefined;

/** Whether the claim is this value or a list that contains it, compared as text. */
export function hasClaim(claims: Claims, name: string, value: string): boolean {
  const found = claimOf(claims, name);
  const values: unknown[] = Array.isArray(found) ? found : [found];
  return values.some((each) => isPlain(each) && String(each) === value);
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/**
 * Returns a claim, or a member of one: `realm_access.roles`. Names may contain dots themselves (`kubernetes.io.namespace`
 * is the member `namespace` of `kubernetes.io`), so the longest name that exists is used at each level.
 */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) {
    const claim = Object.hasOwn(claims, name.slice(0, at)) ? claims[name.slice(0, at)] : undefined;
    if (isObject(claim)) return claimOf(claim, name.slice(at + 1));
  }
  return undefined;
}

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
