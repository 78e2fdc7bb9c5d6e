import { createClient, type Link } from '@tallyport/bus';
import {
  authService,
  GatewayError,
  isToolAllowed,
  type McpServer,
  mcpService,
  type McpServerTest,
  toolNameSeparator,
} from '@tallyport/contracts';
import { LRUCache } from 'lru-cache';
import { type AccountValues, createAccountValues } from '@tallyport/store';
import type { Tool, ToolCaller } from '../tool.ts';
import type { FederatedTool } from './offered-tools.ts';
import { unavailableTool } from './registered-tool.ts';
import type { RegisteredServer } from './registered-server.ts';
import { testServer } from './test-server.ts';

/** The tools of the MCP servers that accounts registered. */
export interface Federation {
  /** The tools this caller may use. A server that does not respond is left out. */
  tools(caller: ToolCaller): Promise<readonly Tool[]>;
  /** `undefined` for a tool that does not exist or that the caller may not use. Never rejects. */
  find(name: string, caller: ToolCaller): Promise<Tool | undefined>;
  /** Lists the tools of the account's servers again, unless the lists are recent. */
  refresh(of: { accountId: string }): Promise<Record<string, never>>;
  /** Lists the tools of a server now. Throws `not_found` if the account has no such enabled server. */
  test(of: { accountId: string; id: string }): Promise<McpServerTest>;
  start(): void;
  stop(): Promise<void>;
}

interface FederationOptions {
  link: Link;
  open(server: McpServer, accountId: string): RegisteredServer;
  close(): Promise<void>;
  /** Makes a tool that our clients can call. */
  toolOf(registered: RegisteredServer, offered: FederatedTool): Tool;
}

/** Lists wait for it, so a slow auth-svc counts as unavailable. */
const loadMs = 2_000;
/** The servers whose tools one replica remembers. */
const mostServers = 500;

export function createFederation({ link, open, close, toolOf }: FederationOptions): Federation {
  const auth = createClient(link, authService);
  const mcp = createClient(link, mcpService);
  const opened = new LRUCache<string, RegisteredServer>({ max: mostServers });
  const servers: AccountValues<readonly McpServer[]> = createAccountValues({
    load: async (accountId) => (await auth.mcpServers({ accountId }, { timeoutMs: loadMs })).servers,
    sizeOf: (loaded) => JSON.stringify(loaded).length,
    away,
  });
  let stops: (() => void)[] = [];

  /** A changed server is opened anew: its tools and its token may be others. */
  function openOnce(server: McpServer, accountId: string): RegisteredServer {
    const known = opened.get(server.id);
    if (known !== undefined && isSame(known.server, server)) return known;
    const registered = open(server, accountId);
    opened.set(server.id, registered);
    return registered;
  }

  async function usable({ principal }: ToolCaller): Promise<RegisteredServer[]> {
    const { accountId, mcpServers, allowedMcpTools } = principal;
    if (mcpServers !== true) return [];
    const all = await servers.of(accountId);
    return all.filter(({ name }) => mayUse(name, allowedMcpTools)).map((server) => openOnce(server, accountId));
  }

  return {
    async tools(caller) {
      // The gateway's own tools are listed even if auth-svc is unavailable.
      const found = await usable(caller).catch(() => []);
      const lists = found.map(async (server) => {
        const offered = (await server.tools()).filter(({ offeredAs }) => isAllowed(offeredAs, caller));
        return offered.map((tool) => toolOf(server, tool));
      });
      return (await Promise.all(lists)).flat();
    },
    find: (name, caller) => findTool(name, caller, { usable, toolOf }),
    async test({ accountId, id }) {
      servers.drop(accountId);
      const server = (await servers.of(accountId)).find((each) => each.id === id);
      if (server === undefined) throw noSuchServer();
      return testServer(openOnce(server, accountId));
    },
    async refresh({ accountId }) {
      await Promise.all((await servers.of(accountId)).map((server) => openOnce(server, accountId).refresh()));
      return {};
    },
    start() {
      stops = [
        auth.accountChanged.subscribe(({ accountId }) => servers.drop(accountId)),
        mcp.toolsChanged.subscribe(({ serverId, fingerprint }) => opened.get(serverId)?.outdated(fingerprint)),
      ];
    },
    async stop() {
      for (const stop of stops) stop();
      await close();
    },
  };
}

interface ToolSource extends Pick<FederationOptions, 'toolOf'> {
  usable(caller: ToolCaller): Promise<RegisteredServer[]>;
}

async function findTool(name: string, caller: ToolCaller, { usable, toolOf }: ToolSource): Promise<Tool | undefined> {
  const server = serverOf(name);
  if (server === undefined) return undefined;
  try {
    const registered = (await usable(caller)).find((candidate) => candidate.server.name === server);
    if (registered === undefined || !isAllowed(name, caller)) return undefined;
    const offered = (await registered.tools()).find(({ offeredAs }) => offeredAs === name);
    if (offered !== undefined) return toolOf(registered, offered);
    const problem = registered.problem();
    return problem && unavailableTool(name, problem);
  } catch (error) {
    return unavailableTool(name, error);
  }
}

/** The prefix of a tool's name; the gateway's own tools have none. */
function serverOf(name: string): string | undefined {
  const at = name.indexOf(toolNameSeparator);
  return at > 0 ? name.slice(0, at) : undefined;
}

/** Servers that a key may not use are not contacted for it. */
const mayUse = (server: string, allowed: readonly string[] | undefined): boolean =>
  allowed === undefined ||
  allowed.some((entry) => entry === server || entry.startsWith(`${server}${toolNameSeparator}`));

const isAllowed = (tool: string, { principal: { allowedMcpTools: allowed } }: ToolCaller): boolean =>
  allowed === undefined || isToolAllowed(tool, allowed);

const isSame = (one: McpServer, other: McpServer): boolean => JSON.stringify(one) === JSON.stringify(other);

const noSuchServer = (): GatewayError =>
  new GatewayError(
    'not_found',
    'This MCP server does not exist or is disabled. List all servers: GET /api/v1/mcp-servers',
  );

const away = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', "Your account's MCP servers could not be loaded. Try again in a moment.", {
    retryAfterMs: 1_000,
    cause,
  });
