import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses by their ranges, IPv4, IPv6 and the one written as the other. */
export interface AddressRanges {
  has(address: string): boolean;
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The same address in one spelling: IPv4 that came over an IPv6 socket is IPv4. */
export const plainAddress = (address: string): string => mapped.exec(address)?.[1] ?? address;

/** Throws a RangeError that names the first one which is neither an address nor a range such as `10.0.0.0/8`. */
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
  // The first 96 bits of a mapped range say only that it is mapped.
  const prefix = length === undefined ? bits : Number(length) - (address === written ? 0 : 96);
  if (isIP(address) === 0 || prefix < 0 || prefix > bits) {
    throw new RangeError(`"${text}" is no address and no range of addresses such as 10.0.0.0/8 or fd00::/8.`);
  }
  list.addSubnet(address, prefix, familyOf(address));
}
