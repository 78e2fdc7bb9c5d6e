/** A cookie with a token. Scripts cannot read it, and forms of other sites do not send it. */
export interface TokenCookie {
  readonly name: string;
  /** Reads the token from a `Cookie` header; `undefined` if there is no valid one, or more than one. */
  read(header: string | undefined): string | undefined;
  /** Returns the `Set-Cookie` header that stores the token. */
  write(token: string, expiresAt: Date): string;
  /** Returns the `Set-Cookie` header that removes it. */
  clear(): string;
}

const tokenPattern = /^[\w-]{43}$/;

/** The cookie of a signed-in browser. */
export const sessionCookie = (publicUrl: URL): TokenCookie => tokenCookie(publicUrl, 'tallyport');

/** The cookie of a browser that was sent to an identity provider: no other browser can finish the sign-in. */
export const flowCookie = (publicUrl: URL): TokenCookie => tokenCookie(publicUrl, 'tallyport-sign-in');

/** `__Host-` makes browsers refuse a cookie set by another host of the domain or over plain http. */
function tokenCookie(publicUrl: URL, plainName: string): TokenCookie {
  const secure = publicUrl.protocol === 'https:';
  const name = secure ? `__Host-${plainName}` : plainName;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    name,
    read(header) {
      const values = valuesOf(header ?? '', name);
      const [token] = values;
      return values.length === 1 && token !== undefined && tokenPattern.test(token) ? token : undefined;
    },
    write: (token, expiresAt) => `${name}=${token}; ${attributes}; Expires=${expiresAt.toUTCString()}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

/** Two cookies of one name indicate tampering, so neither is trusted. */
function valuesOf(header: string, name: string): string[] {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
