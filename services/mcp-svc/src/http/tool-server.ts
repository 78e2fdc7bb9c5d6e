import { INVALID_PARAMS, ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Federation } from '../federation/federation.ts';
import type { ToolRun } from '../run-tool.ts';
import type { Tool, ToolCaller, ToolResult } from '../tool.ts';
import { listOf, withRegistered } from './tool-list.ts';

export interface ToolServerOptions {
  /** The gateway's own tools. */
  tools: readonly Tool[];
  /** Tools of the caller's registered servers. */
  registered: Pick<Federation, 'find' | 'tools'>;
  run(run: ToolRun): Promise<ToolResult>;
  onError(cause: unknown): void;
  version: string;
}

/** The gateway's own tools are the same for every caller and change only between versions. */
const ownHints = { 'tools/list': { ttlMs: 300_000, cacheScope: 'public' } } as const;
const registeredHints = { 'tools/list': { ttlMs: 30_000, cacheScope: 'private' } } as const;

/** Edge sends notifications on the GET streams of the older revisions. The current one has none; its clients list again. */
type ProtocolEra = 'current' | 'older';

const capabilities = { current: {}, older: { listChanged: true } } as const satisfies Record<ProtocolEra, object>;

const instructions =
  'Tallyport gives access to the models of many vendors through one account. list-models and list-image-models show the available models and their prices; chat and the generate tools cost money.';

/** Returns a function that creates the library's server for one request of a caller. */
export function createToolServers({ tools, registered, run, onError, version }: ToolServerOptions) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const own = listOf(tools);

  return (caller: ToolCaller | undefined, era: ProtocolEra): Server => {
    const hasRegistered = caller?.principal.mcpServers === true;
    const server = new Server(
      { name: 'tallyport', title: 'Tallyport', version },
      {
        capabilities: { tools: capabilities[era] },
        instructions,
        cacheHints: hasRegistered ? registeredHints : ownHints,
      },
    );
    server.setRequestHandler('tools/list', async () =>
      hasRegistered ? withRegistered(own, await registered.tools(caller)) : own,
    );
    // A batch counts as one running request, so its calls run one after the other.
    let turn: Promise<unknown> = Promise.resolve();
    let calls = 0;
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: input } }, context) => {
      const isFurther = calls++ > 0;
      const tool = caller && (byName.get(name) ?? (await registered.find(name, caller)));
      if (!tool || !caller) throw new ProtocolError(INVALID_PARAMS, noTool(name));
      const { signal } = context.mcpReq;
      const onProgress = progressOf(context, onError);
      const result = turn.then(() => run({ tool, input, context: { caller, signal, isFurther }, onProgress }));
      turn = result.catch(() => {});
      return result;
    });
    return server;
  };
}

const noTool = (name: string): string =>
  `Unknown tool: ${name.length > 100 ? `${name.slice(0, 100)}…` : name}. tools/list lists all tools.`;

function progressOf({ mcpReq }: ServerContext, onError: (cause: unknown) => void): ToolRun['onProgress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return ({ progress, total, message }) => {
    const params = { progressToken, progress, message, ...(total !== undefined && { total }) };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(onError);
  };
}
