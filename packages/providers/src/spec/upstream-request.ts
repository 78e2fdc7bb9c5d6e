/** A request to send. `path` follows the provider's base URL; dispatch adds the credentials. */
export interface UpstreamRequest {
  method: 'POST' | 'GET';
  path: string;
  headers: Record<string, string>;
  body: string;
  /** `path` follows the base URL without the version at its end. */
  aboveVersion?: true;
}

/** A request whose body is in slices, which are never joined. */
export type SlicedRequest = Omit<UpstreamRequest, 'body'> & { body: readonly Uint8Array[] };
