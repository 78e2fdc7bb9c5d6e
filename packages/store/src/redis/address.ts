/** Where a Redis is found: at a URL, or at the one that its Sentinels name. */
export type RedisAddress = { kind: 'server'; url: string } | SentinelAddress;

export interface SentinelAddress {
  kind: 'sentinel';
  /** The URLs of the Sentinels, which need no password. */
  sentinels: readonly string[];
  /** The name of the primary at the Sentinels. */
  primary: string;
  /** The URL of a server at this host and port, with the user, password and database. */
  urlAt(host: string, port: number): string;
}

/** `undefined` for anything else than one server or the Sentinels of one primary. */
export function redisAddress(url: string): RedisAddress | undefined {
  const sentinel = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/]+)\/([\w.-]+)(\/\d+)?$/.exec(url);
  if (sentinel === null) return isServer(url) ? { kind: 'server', url } : undefined;
  const [, scheme, login, hosts = '', primary = '', database = ''] = sentinel;
  const sentinels = hosts.split(',').map((host) => `${scheme}://${host}`);
  const credentials = login === undefined ? '' : `${login}@`;
  if (!sentinels.every(isServer) || !isServer(`${scheme}://${credentials}host${database}`)) return undefined;
  const urlAt = (host: string, port: number) =>
    `${scheme}://${credentials}${host.includes(':') ? `[${host}]` : host}:${port}${database}`;
  return { kind: 'sentinel', sentinels, primary, urlAt };
}

function isServer(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname } = new URL(url);
  return /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d*)?$/.test(pathname);
}
