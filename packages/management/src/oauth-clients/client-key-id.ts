const prefix = 'oauth_';

/** The key id of an OAuth client in usage, logs and limits. */
export const keyIdOfClient = (clientId: string): string => prefix + clientId;

/** The client of a key id; `undefined` for an API key. */
export const clientOfKeyId = (keyId: string): string | undefined =>
  keyId.startsWith(prefix) ? keyId.slice(prefix.length) : undefined;
