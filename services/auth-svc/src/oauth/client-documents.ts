import { GatewayError } from '@tallyport/contracts';
import { UpstreamFailure } from '@tallyport/outbound';
import { LRUCache } from 'lru-cache';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { createForeignFetch, DocumentRefusal, mayFetch } from './foreign-documents.ts';
import { type KnownClientName, pinnedDocument } from './known-clients.ts';

export interface ClientDocumentsOptions {
  pinned: readonly KnownClientName[];
  /** Throws `rate_limit_exceeded` if this address caused too many fetches. */
  countFetch(address: string): Promise<void>;
  /** A document could not be read. */
  onFailure(address: string, error: unknown): void;
  fetch?: typeof fetch;
}

/** The documents with which clients describe themselves: which may be read, how, and why one could not be. */
export interface ClientDocuments {
  fetch: typeof fetch;
  mayFetch(ctx: KoaContextWithOIDC, address: string): Promise<boolean>;
  /** An error of the library about the document of this request, as sentences for people; other errors: `undefined`. */
  explain(ctx: object, description: unknown): string | undefined;
}

const mostFailures = 100;

export function createClientDocuments({
  pinned,
  countFetch,
  onFailure,
  ...given
}: ClientDocumentsOptions): ClientDocuments {
  const download = given.fetch ?? createForeignFetch();
  /** Why the last download failed, by address. */
  const failures = new LRUCache<string, string>({ max: mostFailures });
  const asked = new WeakMap<object, { address: string; refusal?: string }>();

  async function read(address: string, init: RequestInit | undefined): Promise<Response> {
    try {
      const response = await download(address, init);
      if (response.status === 200) failures.delete(address);
      else failures.set(address, `its server answered with status ${response.status}`);
      return response;
    } catch (error) {
      failures.set(address, reasonOf(error));
      onFailure(address, error);
      throw error;
    }
  }

  return {
    async fetch(input, init) {
      const address = input instanceof Request ? input.url : String(input);
      const copy = pinnedDocument(pinned, address);
      return copy === undefined ? read(address, init) : Response.json({ ...copy, ...ofPublicClient });
    },
    async mayFetch(ctx, address) {
      if (pinnedDocument(pinned, address) !== undefined) return true;
      const refusal = mayFetch(address) ? await refusalOf(() => countFetch(ctx.ip)) : notPublic;
      asked.set(ctx, { address, ...(refusal !== undefined && { refusal }) });
      return refusal === undefined;
    },
    explain(ctx, description) {
      const { address, refusal } = asked.get(ctx) ?? {};
      if (address === undefined || !String(description).startsWith('client_id metadata document')) return undefined;
      const reason = refusal ?? failures.get(address) ?? 'it is not a valid description of this application';
      return `The description of the application at ${address} cannot be used: ${reason}. ${advice}`;
    },
  };
}

/** These clients have no secret. */
const ofPublicClient = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

const notPublic = 'its address is not that of a public https server';
const advice =
  'If this gateway cannot reach the internet, its operator sets OAUTH_PINNED_CLIENTS, or OAUTH_CLIENT_DOCUMENTS=false so that applications register.';

async function refusalOf(count: () => Promise<void>): Promise<string | undefined> {
  try {
    await count();
    return undefined;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return `too many descriptions were read for your network (${error.message})`;
  }
}

/** Of the details, only what the person who signs in may know. */
function reasonOf(error: unknown): string {
  if (error instanceof DocumentRefusal) return error.message;
  if (error instanceof UpstreamFailure && error.kind === 'too_large') return 'it is too large';
  return 'its server cannot be reached from this gateway';
}
