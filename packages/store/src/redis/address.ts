/** Where a Redis is found: one server, the one that Sentinels name, or a cluster, of which some nodes are known. */
export type RedisAddress = Access &
  (
    | { kind: 'server'; server: Host; database: number }
    | { kind: 'sentinel'; sentinels: readonly Host[]; primary: string; database: number }
    | { kind: 'cluster'; nodes: readonly Host[] }
  );

interface Host {
  host: string;
  port: number;
}

/** Of the servers. Sentinels need no password. */
interface Access {
  tls: boolean;
  username?: string;
  password?: string;
}

/** `undefined` for anything else than one server, the Sentinels of one primary, or nodes of one cluster. */
export function redisAddress(url: string): RedisAddress | undefined {
  const several = /^(rediss?)\+(sentinel|cluster):\/\/(?:(.*)@)?([^@/]+)(\/.*)?$/.exec(url);
  if (several === null) return serverAt(url);
  const [, scheme = '', kind, login, hosts = '', path = ''] = several;
  const access = accessIn(`${scheme}://${login === undefined ? '' : `${login}@`}host`);
  if (access === undefined) return undefined;
  return kind === 'sentinel' ? sentinelsAt(access, { hosts, path }) : nodesAt(access, { hosts, path });
}

interface Place {
  hosts: string;
  path: string;
}

function sentinelsAt(access: Access, { hosts, path }: Place): RedisAddress | undefined {
  const sentinels = hostsIn(hosts, 26379);
  const [, primary, database = '0'] = /^\/([\w.-]+)(?:\/(\d+))?$/.exec(path) ?? [];
  if (sentinels === undefined || primary === undefined) return undefined;
  return { ...access, kind: 'sentinel', sentinels, primary, database: Number(database) };
}

/** A cluster has no database numbers. */
function nodesAt(access: Access, { hosts, path }: Place): RedisAddress | undefined {
  const nodes = path === '' ? hostsIn(hosts, 6379) : undefined;
  return nodes && { ...access, kind: 'cluster', nodes };
}

function hostsIn(hosts: string, defaultPort: number): Host[] | undefined {
  const found = hosts.split(',').map((host) => hostIn(`redis://${host}`, defaultPort));
  return found.every((host) => host !== undefined) ? found : undefined;
}

function serverAt(url: string): RedisAddress | undefined {
  const [access, server] = [accessIn(url), hostIn(url, 6379)];
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  if (access === undefined || server === undefined || !/^(\/\d*)?$/.test(path)) return undefined;
  return { ...access, kind: 'server', server, database: Number(path.slice(1)) };
}

function hostIn(url: string, defaultPort: number): Host | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  if (hostname === '') return undefined;
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || defaultPort };
}

function accessIn(url: string): Access | undefined {
  if (!/^rediss?:\/\//.test(url) || !URL.canParse(url)) return undefined;
  const { protocol, username, password } = new URL(url);
  try {
    return {
      tls: protocol === 'rediss:',
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
    };
  } catch {
    // A percent sign that encodes nothing.
    return undefined;
  }
}
