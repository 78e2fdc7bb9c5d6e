import { BlockList, isIP } from 'node:net';

/** Whether an address is in one of the ranges. IPv4-mapped IPv6 addresses (`::ffff:…`) count as IPv4. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  if (isIP(address) === 0) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const [network, bits] = partsOf(range);
    list.addSubnet(network, bits, familyOf(network));
  }
  return list.check(address, familyOf(address));
}

/** Whether a range lies completely within one of the others. */
export function isRangeWithin(range: string, ranges: readonly string[]): boolean {
  const [network, bits] = partsOf(range);
  return ranges.some((wider) => {
    const [widerNetwork, widerBits] = partsOf(wider);
    return familyOf(network) === familyOf(widerNetwork) && widerBits <= bits && isWithin(network, [wider]);
  });
}

function partsOf(range: string): [network: string, bits: number] {
  const [network = '', bits = ''] = range.split('/');
  return [network, Number(bits)];
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
