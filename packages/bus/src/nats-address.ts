/** The NATS client takes addresses and credentials separately and ignores credentials in an address. */
export interface NatsAddress {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
  /** Present if TLS is required: a server without it is refused. */
  tls?: object;
}

const usualPort = 4222;

/**
 * Parses `nats://user:password@host:4222` or `nats://token@host:4222`, or several of them separated by commas. The
 * first credentials found are used for all servers. If one of them starts with `tls://`, all servers need TLS.
 */
export function natsAddress(url: string): NatsAddress {
  const addresses = url.split(',').map((address) => new URL(address.trim()));
  const servers = addresses.map(({ protocol, hostname, port }) => `${protocol}//${hostname}:${port || usualPort}`);
  const tls = addresses.some(({ protocol }) => protocol === 'tls:') && { tls: {} };
  const withCredentials = addresses.find(({ username }) => username !== '');
  if (!withCredentials) return { servers, ...tls };
  const user = decodeURIComponent(withCredentials.username);
  if (withCredentials.password === '') return { servers, ...tls, token: user };
  return { servers, ...tls, user, pass: decodeURIComponent(withCredentials.password) };
}
