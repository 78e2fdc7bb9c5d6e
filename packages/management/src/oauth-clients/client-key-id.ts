const prefix = 'oauth_';

/** The user in the key id of a client that acts for one, as a pattern for JavaScript and for Postgres. */
export const userInKeyId = `^${prefix}(user_[0-9a-f]+)~`;

const userPattern = new RegExp(userInKeyId);

/** The key id of an OAuth client in usage, logs and limits: of its own, or while it acts for a user. */
export const keyIdOfClient = (clientId: string, userId?: string | null): string =>
  userId ? `${keyIdsOfUser(userId)}${clientId}` : prefix + clientId;

/** The beginning of the key ids of all clients that act for a user. */
export const keyIdsOfUser = (userId: string): string => `${prefix}${userId}~`;

/** The client of a key id; `undefined` for an API key. */
export const clientOfKeyId = (keyId: string): string | undefined =>
  keyId.startsWith(prefix) ? keyId.replace(userPattern, prefix).slice(prefix.length) : undefined;

/** The user that the client of a key id acts for. */
export const userOfKeyId = (keyId: string): string | undefined => userPattern.exec(keyId)?.[1];
