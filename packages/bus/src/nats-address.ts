/** The client takes addresses and credentials apart, and does not look for the latter in the former. */
export interface NatsAddress {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
}

/** Of `nats://user:password@host:4222` or `nats://token@host:4222`, one or several with commas between: the first credentials are for all. */
export function natsAddress(url: string): NatsAddress {
  const addresses = url.split(',').map((address) => new URL(address.trim()));
  const servers = addresses.map(({ protocol, host }) => `${protocol}//${host}`);
  const known = addresses.find(({ username }) => username !== '');
  if (!known) return { servers };
  const user = decodeURIComponent(known.username);
  if (known.password === '') return { servers, token: user };
  return { servers, user, pass: decodeURIComponent(known.password) };
}
