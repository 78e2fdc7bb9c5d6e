/** The NATS client takes addresses and credentials separately and ignores credentials in an address. */
export interface NatsAddress {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
}

/**
 * Parses `nats://user:password@host:4222` or `nats://token@host:4222`, or several of them separated by commas. The
 * first credentials found are used for all servers.
 */
export function natsAddress(url: string): NatsAddress {
  const addresses = url.split(',').map((address) => new URL(address.trim()));
  const servers = addresses.map(({ protocol, host }) => `${protocol}//${host}`);
  const withCredentials = addresses.find(({ username }) => username !== '');
  if (!withCredentials) return { servers };
  const user = decodeURIComponent(withCredentials.username);
  if (withCredentials.password === '') return { servers, token: user };
  return { servers, user, pass: decodeURIComponent(withCredentials.password) };
}
