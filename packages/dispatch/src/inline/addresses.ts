import ipaddr from 'ipaddr.js';

/** All addresses that are routed publicly; the rest of IPv6 is special or not assigned. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** NAT64: an IPv4 address behind the network's own translator. */
const translated = ipaddr.parseCIDR('64:ff9b::/96');
/** Public by its range, and yet a cloud's door to its own machines' metadata. */
const metadataInPublicRange: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an address belongs to the public internet. Everything else is refused: private, link-local and with it the
 * metadata of clouds, loopback, carriers' own, tunnels, multicast, reserved, and whatever cannot be read.
 */
export function isPublicAddress(text: string): boolean {
  const address = parse(text);
  if (address === undefined) return false;
  if (address instanceof ipaddr.IPv4) return isPublicIPv4(address);
  if (address.match(translated)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  return address.match(globalUnicast) && address.range() === 'unicast';
}

export function isLoopbackAddress(text: string): boolean {
  return parse(text)?.range() === 'loopback';
}

const isPublicIPv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !metadataInPublicRange.has(address.toString());

/** An IPv4 address in IPv6 dress is read as what it is. Zones (`%eth0`) name our own interfaces: nothing public has one. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) && !text.includes('%') ? ipaddr.process(text) : undefined;
}
