import { BlockList, isIP, isIPv6 } from 'node:net';

/** A set of IPv4 and IPv6 addresses, given as ranges. IPv4-mapped IPv6 addresses count as IPv4. */
export interface AddressRanges {
  has(address: string): boolean;
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Normalises an address: IPv4 received over an IPv6 socket (`::ffff:10.0.0.1`) becomes plain IPv4. */
export const plainAddress = (address: string): string => mapped.exec(address)?.[1] ?? address;

/** Throws a RangeError naming the first entry that is neither an address nor a range, for example `10.0.0.0/8`. */
export function addressRanges(texts: readonly string[]): AddressRanges {
  const list = new BlockList();
  for (const text of texts) addTo(list, text);
  return {
    has(address) {
      const plain = plainAddress(address);
      return isIP(plain) > 0 && list.check(plain, familyOf(plain));
    },
  };
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

function addTo(list: BlockList, text: string): void {
  const [, written = '', length] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const address = plainAddress(written);
  const bits = isIPv6(address) ? 128 : 32;
  // The first 96 bits of a mapped range are the mapping prefix itself.
  const prefix = length === undefined ? bits : Number(length) - (address === written ? 0 : 96);
  if (isIP(address) === 0 || prefix < 0 || prefix > bits) {
    throw new RangeError(`"${text}" is neither an address nor a range, for example 10.0.0.0/8 or fd00::/8.`);
  }
  list.addSubnet(address, prefix, familyOf(address));
}
