import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseAddress } from './addresses.ts';

/** Private hosts and addresses that the operator opens to webhooks and MCP servers of accounts. */
export interface PrivateTargets {
  /** Whether this host, a name or an address, is one of them. Plain http is allowed to it. */
  names(host: string): boolean;
  /** Whether a connection to this host may use this address. */
  allows(address: string, host: string): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** What an entry can open. */
const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map(readRange);
/** A name never opens these: a service beside this process is named by its address. */
const loopbackRanges = ['127.0.0.0/8', '::1/128'].map(readRange);
/** In private ranges, but serve the metadata of cloud machines. */
const metadata: ReadonlySet<string> = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

/** Throws a RangeError naming the first entry that is neither a host nor a range of private addresses. */
export function privateTargets(entries: readonly string[]): PrivateTargets {
  const ranges = entries.filter(isAddressEntry).map(readEntry);
  const hosts = new Set(entries.filter((entry) => !isAddressEntry(entry)).map(readHost));
  const isListed = (address: Address): boolean => ranges.some((range) => isIn(address, range));
  return {
    names(host) {
      const address = parseAddress(host);
      return address === undefined ? hosts.has(withoutDot(host)) : isListed(address);
    },
    allows(text, host) {
      const address = parseAddress(text);
      if (address === undefined || metadata.has(address.toString())) return false;
      return isListed(address) || (hosts.has(withoutDot(host)) && isInOne(address, privateRanges));
    },
  };
}

const isAddressEntry = (entry: string): boolean => isIP(entry.split('/')[0] ?? '') !== 0;

function readEntry(entry: string): Range {
  const range = ipaddr.isValidCIDR(entry) ? readRange(entry) : readAddress(entry);
  if (range !== undefined && [...privateRanges, ...loopbackRanges].some((wider) => isWithin(range, wider)))
    return range;
  throw new RangeError(
    `"${entry}" is no range of private addresses. Such a range is within 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, 127.0.0.0/8, fc00::/7 or ::1.`,
  );
}

function readAddress(entry: string): Range | undefined {
  const address = parseAddress(entry);
  return address && [address, address.toByteArray().length * 8];
}

function readRange(text: string): Range {
  return ipaddr.parseCIDR(text);
}

function readHost(entry: string): string {
  const host = withoutDot(entry).toLowerCase();
  const url = `http://${host}/`;
  // The URL parser reads numbers as addresses, also octal and hexadecimal ones.
  if (/^[a-z\d._-]+$/.test(host) && URL.canParse(url) && new URL(url).hostname === host) return host;
  throw new RangeError(
    `"${entry}" is no host name. Write a name such as dlp.security.svc, without a scheme and a port.`,
  );
}

/** A name with a dot at its end is the same name. */
const withoutDot = (host: string): string => host.replace(/\.$/, '');

function isIn(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

const isInOne = (address: Address, ranges: readonly Range[]): boolean => ranges.some((range) => isIn(address, range));

const isWithin = ([network, bits]: Range, wider: Range): boolean => bits >= wider[1] && isIn(network, wider);
