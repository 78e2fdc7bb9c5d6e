/** What a vendor gives out for a while. */
export interface Token {
  value: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface TokenCacheOptions {
  now(): number;
  /** A token is made anew this long before its end, so that none runs out on its way. */
  marginMs: number;
  /** After a failure the vendor is not asked again for this long: it is not flooded, and requests fail fast. */
  failureMs: number;
}

/** One token for all requests: made once however many wait, and again shortly before its end. */
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

/** A vendor that gives no new token may still take the old one, up to its last moment. */
function stillGood(token: Token | undefined, time: number, { error }: { error: unknown }): string {
  if (token !== undefined && time < token.expiresAt) return token.value;
  throw error;
}
