import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import type { Provider } from 'oidc-provider';
import type { Secrets } from '../secrets/secrets.ts';
import { findTokenCaller } from './find-token-caller.ts';
import { followProvider, type OAuthServerEvents } from './follow-provider.ts';
import { isMember } from './is-member.ts';
import { loadKeys } from './keys.ts';
import { createProvider, type ProviderOptions } from './provider.ts';
import { recordsFor } from './records.ts';
import { startOAuthSweeper } from './sweep.ts';

export interface OAuthServer {
  /** Made when it is first needed: its keys are in the database. Throws what the database throws. */
  provider(): Promise<Provider>;
  /** Answers what is the library's to answer. */
  handler(): Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>>;
  /** Who calls with this access token. */
  findCaller(tokenHash: string): Promise<Caller | null>;
  start(): void;
  stop(): void;
}

export interface OAuthOptions extends Pick<ProviderOptions, 'countFetch' | 'renderError'> {
  database: Database;
  secrets: Secrets;
  /** How clients reach us; asked when it is needed. */
  publicUrl(): string;
  onTokenEnded(tokenHash: string): void;
  events: OAuthServerEvents;
}

interface ProviderWithHandler {
  provider: Provider;
  handler: ReturnType<Provider['callback']>;
}

export function createOAuthServer(options: OAuthOptions): OAuthServer {
  const { database, secrets, publicUrl, onTokenEnded, events, ...rest } = options;
  let made: Promise<ProviderWithHandler> | undefined;
  let stopSweeper: (() => void) | undefined;

  async function make(): Promise<ProviderWithHandler> {
    const provider = createProvider({
      ...rest,
      publicUrl: publicUrl(),
      keys: await loadKeys(database, secrets),
      records: recordsFor({ database, onTokenEnded }),
      isMember: (subject) => isMember(database, subject),
    });
    followProvider(provider, events);
    return { provider, handler: provider.callback() };
  }

  function get(): Promise<ProviderWithHandler> {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  }

  return {
    provider: async () => (await get()).provider,
    handler: async () => (await get()).handler,
    findCaller: (tokenHash) => findTokenCaller(database, { tokenHash, publicUrl: publicUrl() }),
    start() {
      stopSweeper = startOAuthSweeper({ database, onFailed: events.oauthNotSwept });
    },
    stop: () => stopSweeper?.(),
  };
}
