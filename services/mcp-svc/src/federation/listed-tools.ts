import { createHash } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/client';
import { GatewayError, type McpServer } from '@tallyport/contracts';
import { serverFailure } from './failure.ts';
import { type FederatedTool, type FederatedTools, offerTools } from './offered-tools.ts';
import { createRest } from './rest.ts';
import type { ServerAccess } from './server-access.ts';

/** The tools of one registered server as this replica knows them. */
export interface ListedTools {
  /** None while the server does not respond. Only the first call waits, and not for long. */
  tools(): Promise<readonly FederatedTool[]>;
  /** Lists again if the list is not recent. Never rejects. */
  refresh(): Promise<void>;
  /** Other replicas found other tools: the next call of `tools` waits for them, but not for long. */
  outdated(fingerprint: string): void;
  /** The server says that its tools have changed: lists again, or at the next refresh if the list is recent. */
  announced(): void;
  /** Lists now, also after failures. Throws GatewayError if the server does not answer. */
  listNow(): Promise<FederatedTools>;
  /** Why the tools are not known; `undefined` if they are. */
  problem(): GatewayError | undefined;
}

export interface ListEvents {
  listed(server: McpServer, end: { durationMs: number; leftOut: number }): void;
  /** Called with each list. */
  found(server: McpServer, fingerprint: string): void;
  listFailed(server: McpServer, end: { durationMs: number; error: GatewayError }): void;
}

interface ListedToolsOptions {
  server: McpServer;
  access: ServerAccess;
  events: ListEvents;
  now(): number;
}

/** A list is refreshed in the background when it is older than this. */
const freshMs = 60_000;
/** The same while a client waits for changes. */
const watchedMs = 20_000;
/** A server that could not be listed for this long offers no tools. */
const expiryMs = 600_000;
/** How long a client's list waits for a server whose tools are not known yet. */
const firstListMs = 3_000;
/** A server that often announces changes is listed this often at most. */
const pauseMs = 5_000;
const listTimeoutMs = 20_000;
/** A person waits for a test. */
const testTimeoutMs = 10_000;

export function createListedTools({ server, access, events, now }: ListedToolsOptions): ListedTools {
  const rest = createRest(now);
  let listed: (FederatedTools & { at: number; fingerprint: string }) | undefined;
  let failure: GatewayError | undefined;
  let running: Promise<void> | undefined;
  let hasWaited = false;
  let isOutdated = false;

  const current = () => (listed !== undefined && now() < listed.at + expiryMs ? listed : undefined);

  const isOlderThan = (ms: number): boolean => isOutdated || listed === undefined || now() >= listed.at + ms;

  async function list(timeoutMs: number): Promise<FederatedTools> {
    const at = now();
    try {
      const tools = await access.use(listTools, AbortSignal.timeout(timeoutMs));
      const found = offerTools(server.name, tools, access.redact);
      listed = { ...found, at: now(), fingerprint: fingerprintOf(found) };
      isOutdated = false;
      rest.succeeded();
      events.listed(server, { durationMs: now() - at, leftOut: found.leftOut });
      events.found(server, listed.fingerprint);
      return found;
    } catch (thrown) {
      // The account's own limit says nothing about the server.
      if (!(thrown instanceof GatewayError)) rest.failed();
      failure = serverFailure(thrown, { name: server.name, redact: access.redact });
      events.listFailed(server, { durationMs: now() - at, error: failure });
      throw failure;
    }
  }

  /** One refresh at a time, and none for a while after several failures. */
  function refreshOnce(): Promise<void> {
    if (running === undefined && rest.left() > 0) return Promise.resolve();
    running ??= list(listTimeoutMs)
      .then(ignore, ignore)
      .finally(() => (running = undefined));
    return running;
  }

  return {
    async tools() {
      if (isOlderThan(freshMs)) {
        const refreshed = refreshOnce();
        if (!hasWaited) await atMost(firstListMs, refreshed);
        hasWaited = true;
      }
      return current()?.tools ?? [];
    },
    refresh: () => (isOlderThan(watchedMs) ? refreshOnce() : Promise.resolve()),
    outdated(fingerprint) {
      if (listed === undefined || listed.fingerprint === fingerprint) return;
      isOutdated = true;
      hasWaited = false;
    },
    announced() {
      const isRecent = listed !== undefined && now() < listed.at + pauseMs;
      isOutdated = true;
      if (!isRecent) void refreshOnce();
    },
    listNow: () => list(testTimeoutMs),
    problem: () => (current() === undefined ? (failure ?? notListed(server.name)) : undefined),
  };
}

const listTools = async (client: Client, signal: AbortSignal) =>
  (await client.listTools(undefined, { signal, timeout: listTimeoutMs, cacheMode: 'bypass' })).tools;

/** The same for another order of the same tools. */
function fingerprintOf({ tools }: FederatedTools): string {
  const described = tools.map((tool) => JSON.stringify(tool)).sort();
  return createHash('sha256').update(described.join('\n')).digest('base64url');
}

/** The failure is kept. */
const ignore = (): void => {};

const notListed = (name: string): GatewayError =>
  new GatewayError('unavailable', `The MCP server ${name} does not respond. Try again later.`);

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, waited]).finally(() => clearTimeout(timer));
}
