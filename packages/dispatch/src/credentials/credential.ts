import type { Configured, Missing } from '@switchyard/providers';
import type { WireRequest } from '../upstream/open.ts';
import type { Network } from './network.ts';

/** Headers that prove who asks for this one request. Throws GatewayError where the vendor does not give what it takes. */
export type Authorize = (request: WireRequest, network: Network) => Promise<Readonly<Record<string, string>>>;

/** What credentials are made of. */
export interface CredentialSources extends Configured {
  key: string | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

/** How a request proves who asks: with headers that are always the same, or made for each request. */
export type Credential = { headers: Readonly<Record<string, string>>; authorize?: Authorize } | Missing;
