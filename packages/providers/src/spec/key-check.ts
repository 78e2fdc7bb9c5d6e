/**
 * A request that costs nothing and that only a valid key can make: a path that follows the base URL, or the token of a
 * service account.
 */
export type KeyCheck =
  | { kind: 'request'; path: string; headers?: Readonly<Record<string, string>> }
  | { kind: 'token' };
