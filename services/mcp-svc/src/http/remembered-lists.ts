import type { McpAnswer } from './answer.ts';
import type { McpRequest, Protocol } from './protocol.ts';

/** Clients use far fewer variants of the request. Beyond these bounds, a list is generated for each request. */
const maxVariants = 100;
const maxVariantLength = 2_000;

/**
 * Caches the list of tools, which is the same for every caller without registered servers and the most frequent request. The MCP library generates
 * it once per variant of the request; after that only the id is inserted.
 */
export function rememberLists(protocol: Protocol): Protocol {
  /** The response without its id, by variant. */
  const remembered = new Map<string, McpAnswer & { body: string }>();

  return {
    async answer(mcpRequest) {
      const listed = listRequest(mcpRequest);
      if (listed === undefined) return protocol.answer(mcpRequest);
      const { id, variant } = listed;
      const known = remembered.get(variant);
      if (known) return { ...known, body: `{"id":${JSON.stringify(id)},${known.body.slice(1)}` };
      const answer = await protocol.answer(mcpRequest);
      const body = answer.status === 200 && typeof answer.body === 'string' ? withoutId(answer.body) : undefined;
      if (body !== undefined && remembered.size < maxVariants) remembered.set(variant, { ...answer, body });
      return answer;
    },
    close: () => protocol.close(),
  };
}

/** Returns the id, and everything else the response could depend on, if this is a single `tools/list` request. */
function listRequest({ messages, headers, caller }: McpRequest): { id: string | number; variant: string } | undefined {
  if (caller.principal.mcpServers === true) return undefined;
  if (!('method' in messages) || messages.method !== 'tools/list') return undefined;
  const { id, ...rest } = messages;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const read = Object.entries(headers).filter(([name]) => name === 'content-type' || name.startsWith('mcp-'));
  const variant = JSON.stringify([rest, read]);
  return variant.length > maxVariantLength ? undefined : { id, variant };
}

/** `undefined` for a response without a result. */
function withoutId(text: string): string | undefined {
  const { id: _id, ...rest }: { id: unknown; result?: unknown } = JSON.parse(text);
  return rest.result === undefined ? undefined : JSON.stringify(rest);
}
