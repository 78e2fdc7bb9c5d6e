import type { Configured, Missing } from '@tallyport/providers';
import type { WireRequest } from '@tallyport/outbound';
import type { Network } from './network.ts';

/** Returns the headers that authenticate this request. Throws GatewayError if the vendor issues no credentials. */
export type Authorize = (request: WireRequest, network: Network) => Promise<Readonly<Record<string, string>>>;

/** What credentials are built from. */
export interface CredentialSources extends Configured {
  key: string | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Authenticates requests: with constant headers, or with headers made for each request. */
export type Credential = { headers: Readonly<Record<string, string>>; authorize?: Authorize } | Missing;
