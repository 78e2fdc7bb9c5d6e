const prefix = 'oauth_';

/** What a client goes by where callers with keys go by the key's id: in usage, logs and limits. */
export const keyIdOfClient = (clientId: string): string => prefix + clientId;

/** `undefined` for ids of keys. */
export const clientOfKeyId = (keyId: string): string | undefined =>
  keyId.startsWith(prefix) ? keyId.slice(prefix.length) : undefined;
