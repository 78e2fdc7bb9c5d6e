import { Agent } from 'undici';
import type { UrlRules } from '../address/check-url.ts';
import { UpstreamCall } from '../http/call.ts';
import { createConnector } from '../http/connector.ts';
import { createCachedLookup, type Lookup } from '../names/cached-lookup.ts';
import { checkedLookup } from '../names/checked-lookup.ts';

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

export function createPublicAgent({ connectMs, lookup, ...rules }: PublicAgentOptions): PublicAgent {
  const names = createCachedLookup();
  const agent = new Agent({
    // Connects to the address that was checked: a second lookup could return another one.
    connect: createConnector({
      timeoutMs: connectMs,
      names: { ...names, lookup: checkedLookup(lookup ?? names.lookup, rules) },
    }),
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
