/** An access token with a limited lifetime. */
export interface Token {
  value: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

interface TokenCacheOptions {
  now(): number;
  /** Tokens are renewed this long before they expire, so that none expires on the way. */
  marginMs: number;
  /** After a failure the vendor is not called for this long: it is not flooded, and requests fail fast. */
  failureMs: number;
}

/** Shares one token between all requests. It is made once, however many wait, and renewed shortly before it expires. */
export function createTokenCache<Context>(
  make: (context: Context) => Promise<Token>,
  { now, marginMs, failureMs }: TokenCacheOptions,
): (context: Context) => Promise<string> {
  let current: Token | undefined;
  let making: Promise<Token> | undefined;
  let failure: { error: unknown; until: number } | undefined;

  async function renew(context: Context): Promise<Token> {
    try {
      current = await make(context);
      failure = undefined;
      return current;
    } catch (error) {
      failure = { error, until: now() + failureMs };
      throw error;
    } finally {
      making = undefined;
    }
  }

  return async (context) => {
    const time = now();
    if (current !== undefined && time < current.expiresAt - marginMs) return current.value;
    if (making === undefined && failure !== undefined && time < failure.until) return stillGood(current, time, failure);
    making ??= renew(context);
    const { value } = await making.catch((error: unknown) => {
      if (current !== undefined && time < current.expiresAt) return current;
      throw error;
    });
    return value;
  };
}

/** If the vendor issues no new token, the old one may still be valid until it expires. */
function stillGood(token: Token | undefined, time: number, { error }: { error: unknown }): string {
  if (token !== undefined && time < token.expiresAt) return token.value;
  throw error;
}
