import { Client, type PriorDiscovery, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { McpServer } from '@tallyport/contracts';
import { countAnswers } from './answer-bounds.ts';
import {
  type PublicAgent,
  type PublicFetch,
  type PublicFetchOptions,
  type UrlRules,
  createPublicFetch,
} from '@tallyport/outbound';
import type { ServerShare } from './account-shares.ts';
import { createMessageGate, type PingId } from './message-gate.ts';
import { createRedaction, type RedactSecrets } from './redact.ts';
import { type RequestWatch, watchRequests } from './request-watch.ts';
import { createTokenSource, type TokenSource } from './token-source.ts';

/** Speaks MCP with one registered server. */
export interface ServerAccess {
  redact: RedactSecrets;
  /**
   * Connects, runs `work` and disconnects. Every operation has its own connection and session, so that no caller sees
   * the state of another one. Rejects with the signal's reason, or with errors that `serverFailure` translates.
   */
  use<Result>(work: (client: Client, signal: AbortSignal) => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

interface AccessOptions {
  server: McpServer;
  agent: Pick<PublicAgent, 'send'>;
  rules: UrlRules;
  /** The most that a server may send in one operation. */
  maxBytes: number;
  share: ServerShare;
  version: string;
  /** Called when the server says so during an operation. */
  onToolsChanged(): void;
  now(): number;
}

/** For each request of the handshake. */
const connectMs = 10_000;
/** How long the end of a session may take; no caller waits for it. */
const leaveMs = 2_000;
const listPages = 10;
/** A server may state that a stream can be asked for again at once, and end it again. */
const shortestPauseMs = 1_000;

/** Our clients check results against the schema themselves. A hostile schema must not be compiled here. */
const unchecked = {
  getValidator: () => (input: unknown) => ({ valid: true, data: input as never, errorMessage: undefined }) as const,
};

export function createServerAccess(options: AccessOptions): ServerAccess {
  const { server, version, onToolsChanged } = options;
  const { redact, setToken } = createRedaction(server.auth);
  const tokens = tokenSourceOf(options, setToken);
  /** Which generation of the protocol the server speaks, so that only the first connection has to find out. */
  let prior: PriorDiscovery | undefined;

  async function connect(client: Client, transport: StreamableHTTPClientTransport, signal: AbortSignal): Promise<void> {
    await client.connect(transport, { signal, timeout: connectMs, ...(prior && { prior }) });
    const discover = client.getDiscoverResult();
    prior = discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover };
  }

  return {
    redact,
    async use(work, signal) {
      const exit = options.share.enter();
      const watch = watchOf(options, { signal, answer: (id) => transport.send({ jsonrpc: '2.0', id, result: {} }) });
      const either = AbortSignal.any([signal, watch.signal]);
      const transport = new StreamableHTTPClientTransport(new URL(server.url), {
        fetch: watch.fetch,
        reconnectionScheduler: resumeLater,
        ...authenticationOf(server, tokens),
      });
      const client = new Client(
        { name: 'tallyport', version },
        { versionNegotiation: { mode: 'auto' }, jsonSchemaValidator: unchecked, listMaxPages: listPages },
      );
      client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged);
      try {
        await connect(client, transport, either);
        return await work(client, either);
      } catch (thrown) {
        prior = undefined;
        signal.throwIfAborted();
        throw watch.signal.aborted ? watch.signal.reason : thrown;
      } finally {
        watch.stop();
        void leave(client, transport).then(exit);
      }
    },
  };
}

interface Operation {
  signal: AbortSignal;
  /** Answers a ping. */
  answer(id: PingId): Promise<void>;
}

function watchOf(options: AccessOptions, { signal, answer }: Operation): RequestWatch {
  const { maxBytes, share } = options;
  const count = countAnswers(maxBytes);
  const gate = createMessageGate({ count, answer, pace: (cost) => share.pace(cost, signal) });
  return watchRequests({ openFetch: (onEnd) => fetchOf(options, onEnd), count, gate, maxBytes });
}

function resumeLater(resume: () => void, delayMs: number): () => void {
  const timer = setTimeout(resume, Math.max(delayMs, shortestPauseMs));
  return () => clearTimeout(timer);
}

const fetchOf = ({ agent, rules, maxBytes }: AccessOptions, onEnd?: PublicFetchOptions['onEnd']): PublicFetch =>
  createPublicFetch({ agent, ...rules, maxBytes, ...(onEnd && { onEnd }) });

function tokenSourceOf(options: AccessOptions, onToken: (token: string) => void): TokenSource | undefined {
  const { server, now } = options;
  if (server.auth.type !== 'client_credentials') return undefined;
  return createTokenSource({ auth: server.auth, fetch: fetchOf(options), onToken, now });
}

function authenticationOf({ auth }: McpServer, tokens: TokenSource | undefined) {
  if (auth.type === 'header') return { requestInit: { headers: { [auth.name]: auth.value } } };
  if (tokens === undefined) return {};
  return { authProvider: { token: tokens.token, onUnauthorized: async () => tokens.forget() } };
}

/** Ends the session, if the server has one, and all connections. Never rejects. */
async function leave(client: Client, transport: StreamableHTTPClientTransport): Promise<void> {
  if (transport.sessionId !== undefined) {
    const timer = setTimeout(() => void client.close().catch(ignore), leaveMs);
    await transport.terminateSession().catch(ignore);
    clearTimeout(timer);
  }
  await client.close().catch(ignore);
}

/** The operation has already ended; the server may have forgotten the session. */
const ignore = (): void => {};
