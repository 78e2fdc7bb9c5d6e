import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { Secrets } from '@tallyport/management-server';
import { LRUCache } from 'lru-cache';
import type { Provider } from 'oidc-provider';
import { type ClientDocumentsOptions, createClientDocuments } from './client-documents.ts';
import { findTokenCaller } from './find-token-caller.ts';
import { followProvider, type OAuthServerEvents } from './follow-provider.ts';
import { isConsented } from './is-consented.ts';
import { isMember } from './is-member.ts';
import { loadKeys } from './keys.ts';
import { createProvider, type ProviderOptions } from './provider.ts';
import { recordsFor } from './records.ts';
import { startOAuthSweeper } from './sweep.ts';

export interface OAuthServer {
  /**
   * Returns the issuer with this origin, since clients compare it with the address they know. Created on first use,
   * because its keys are in the database. Rejects with the database's error.
   */
  provider(publicOrigin: string): Promise<Provider>;
  /** Returns the request handler of the library. */
  handler(publicOrigin: string): Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>>;
  /** Finds the caller of an access token; `null` if it is not valid. */
  findCaller(tokenHash: string): Promise<Caller | null>;
  start(): void;
  stop(): void;
}

export interface OAuthOptions
  extends Pick<ProviderOptions, 'renderError'>, Pick<ClientDocumentsOptions, 'countFetch' | 'pinned'> {
  database: Database;
  secrets: Secrets;
  /** The public address; called whenever it is needed. */
  publicUrl(): string;
  onTokenEnded(tokenHash: string): void;
  /** Whether clients may identify themselves by the address of a document. */
  readsDocuments: boolean;
  events: OAuthServerEvents;
}

interface ProviderWithHandler {
  provider: Provider;
  handler: ReturnType<Provider['callback']>;
}

/** Allows for the loopback names and forwarded ports of this machine; with a public address there is one issuer. */
const maxIssuers = 8;

export function createOAuthServer(options: OAuthOptions): OAuthServer {
  const { database, secrets, publicUrl, onTokenEnded, events, renderError, readsDocuments, ...reading } = options;
  const documents = readsDocuments
    ? createClientDocuments({ ...reading, onFailure: events.oauthDocumentNotRead })
    : undefined;
  const issuers = new LRUCache<string, Promise<ProviderWithHandler>>({ max: maxIssuers });
  let stopSweeper: (() => void) | undefined;

  async function make(publicOrigin: string): Promise<ProviderWithHandler> {
    const provider = createProvider({
      renderError,
      documents,
      publicUrl: publicOrigin,
      keys: await loadKeys(database, secrets),
      records: recordsFor({ database, onTokenEnded }),
      isMember: (subject) => isMember(database, subject),
      isConsented: (clientId) => isConsented(database, clientId),
    });
    followProvider(provider, events);
    return { provider, handler: provider.callback() };
  }

  function get(publicOrigin: string): Promise<ProviderWithHandler> {
    const known = issuers.get(publicOrigin);
    if (known) return known;
    const making = make(publicOrigin);
    issuers.set(publicOrigin, making);
    making.catch(() => issuers.delete(publicOrigin));
    return making;
  }

  return {
    provider: async (publicOrigin) => (await get(publicOrigin)).provider,
    handler: async (publicOrigin) => (await get(publicOrigin)).handler,
    findCaller: (tokenHash) => findTokenCaller(database, { tokenHash, publicUrl: publicUrl() }),
    start() {
      stopSweeper = startOAuthSweeper({ database, onFailed: events.oauthNotSwept });
    },
    stop: () => stopSweeper?.(),
  };
}
