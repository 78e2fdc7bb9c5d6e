import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { Agent } from 'undici';
import { checkAddress, type UrlRules } from '../address/check-url.ts';
import { UpstreamCall } from '../http/call.ts';
import { createConnector } from '../http/connector.ts';

/** `dns.lookup` with `all: true`. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

interface PublicAgentOptions extends UrlRules {
  connectMs: number;
  lookup?: Lookup;
}

/** Opens connections for URLs from clients and accounts, only to addresses that the rules allow. */
export interface PublicAgent {
  /** Requests a URL that `checkUrl` has accepted. */
  get(url: URL, options: { headers: Record<string, string>; maxBytes: number }): UpstreamCall;
  /** The same with another method and a body. */
  send(url: URL, request: PublicRequest): UpstreamCall;
  close(): Promise<void>;
}

interface PublicRequest {
  method: string;
  headers: Record<string, string>;
  body: Buffer | null;
  maxBytes: number;
}

export function createPublicAgent(options: PublicAgentOptions): PublicAgent {
  const agent = new Agent({
    // Connects to the address that was checked: a second lookup could return another one.
    connect: createConnector({ timeout: options.connectMs, lookup: checkedLookup(options) }),
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 1_000,
  });
  function send(url: URL, { method, headers, body, maxBytes }: PublicRequest): UpstreamCall {
    const call = new UpstreamCall({ maxBytes });
    agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body }, call);
    return call;
  }
  return {
    get: (url, request) => send(url, { method: 'GET', body: null, ...request }),
    send,
    close: () => agent.destroy(),
  };
}

/** One forbidden address makes the whole name forbidden: mixed results suggest an attempt to bypass the check. */
function checkedLookup({ lookup = systemLookup, ...rules }: PublicAgentOptions) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback): void =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const refusal = error ?? refusalOf(addresses, { host: hostname, ...rules });
      if (refusal !== undefined) return callback(refusal, []);
      const [first] = addresses;
      if (options.all === true || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

function refusalOf(addresses: readonly LookupAddress[], rules: UrlRules & { host: string }): Error | undefined {
  try {
    for (const { address } of addresses) checkAddress(address, rules);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}
