import type { ToolTarget } from './tool-names.ts';
import type { ResponsesItem, ResponsesItemOf } from './item-schema.ts';
import type { ResponsesTool, ResponsesToolSearch } from './tool-schema.ts';

/** The search that a client makes among its tools, as a function of the chat. */
export const toolSearchTarget: ToolTarget = { kind: 'tool_search', name: 'tool_search' };

/** A client describes its own search, or leaves that to models that know it. */
export const toolSearchDeclaration = ({ description, parameters }: ResponsesToolSearch) => ({
  description:
    description || 'Searches for tools that are not loaded yet. Tools that it finds can be called afterwards.',
  parameters: parameters ?? usualParameters,
});

const usualParameters = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What the tool must be able to do.' } },
  required: ['query'],
};

type Searching = ResponsesItemOf<'tool_search_call' | 'tool_search_output'>;

/** A search that the vendor made led to tools that a chat has from the beginning. */
export const isClientSearch = <Item extends Searching>(item: Item): item is Item & { call_id: string } =>
  item.execution === 'client' && item.call_id != null;

export const isSearching = (item: ResponsesItem): item is Searching =>
  item.type === 'tool_search_call' || item.type === 'tool_search_output';

/** The result of a search: the names of what it found, which is declared among the tools. */
export const searchResult = (tools: readonly ResponsesTool[]): string =>
  tools.length === 0 ? 'No tool was found.' : `Loaded: ${tools.flatMap(namesOf).join(', ')}`;

function namesOf(tool: ResponsesTool): string[] {
  if (tool.type === 'namespace') return tool.tools.map(({ name }) => `${tool.name}.${name}`);
  return tool.type === 'function' || tool.type === 'custom' ? [tool.name] : [tool.type];
}
