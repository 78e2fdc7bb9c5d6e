import { randomUUID } from 'node:crypto';
import { openUpstream } from '../../../../services/mcp-svc/src/testing/open-upstream.ts';
import type { MoneySystem } from '../../system.ts';
import { edgeOf } from '../../edge-of.ts';
import type { Feature } from './feature.ts';
import { addKey, Refusal, send, timed } from './use.ts';

const accept = 'application/json, text/event-stream';

/** Calls a tool of a registered MCP server. Each call must answer with its own arguments, and reach the server once. */
export async function callTools(system: MoneySystem): Promise<Feature> {
  const [admin, caller, server] = await Promise.all([addKey(system, true), addKey(system), openUpstream('current')]);
  const calls = new Map<string, number>();
  server.behaviour.call = async (_name, input) => {
    const { query } = input as { query: string };
    calls.set(query, (calls.get(query) ?? 0) + 1);
    return { content: [{ type: 'text', text: query }] };
  };
  const body = { name: 'soak', url: server.url };
  await send(system, { edge: 0, apiKey: admin, path: '/api/v1/mcp-servers', body });
  return {
    everyMs: 500,
    use: (number) =>
      timed('registered server', edgeOf(number), async () => {
        const query = randomUUID();
        const { result, error } = (await send(system, {
          edge: edgeOf(number),
          apiKey: caller,
          path: '/mcp',
          headers: { accept },
          body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'soak__search', arguments: { query } } },
        })) as { result?: ToolResult; error?: { message: string } };
        if (error !== undefined) throw new Refusal(error.message);
        const text = result?.content?.[0]?.text;
        if (result?.isError === true) throw new Refusal(String(text));
        const count = calls.get(query) ?? 0;
        return text === query && count === 1 ? undefined : { problem: `${count} calls answered ${String(text)}` };
      }),
    stop: () => server.stop(),
  };
}

interface ToolResult {
  isError?: boolean;
  content?: readonly { text?: string }[];
}
