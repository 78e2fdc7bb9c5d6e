import ipaddr from 'ipaddr.js';

/** All publicly routed addresses; the rest of IPv6 is reserved or unassigned. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** NAT64: an IPv4 address behind a translator in the network. */
const translated = ipaddr.parseCIDR('64:ff9b::/96');
/** In a public range, but serves the metadata of cloud machines. */
const metadataInPublicRange: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an address belongs to the public internet. False for private, link-local (which includes cloud metadata),
 * loopback, carrier-grade NAT, tunnel, multicast and reserved addresses, and for text that is not an address.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined) return false;
  if (address instanceof ipaddr.IPv4) return isPublicIPv4(address);
  if (address.match(translated)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  return address.match(globalUnicast) && address.range() === 'unicast';
}

export function isLoopbackAddress(text: string): boolean {
  return parseAddress(text)?.range() === 'loopback';
}

const isPublicIPv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !metadataInPublicRange.has(address.toString());

/** Unwraps IPv4 addresses mapped into IPv6. Zones (`%eth0`) name local interfaces, so public addresses have none. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) && !text.includes('%') ? ipaddr.process(text) : undefined;
}
