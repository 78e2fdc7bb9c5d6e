import { isSpecType, type ListToolsResult } from '@modelcontextprotocol/server';
import type { Tool } from '../tool.ts';

/** The list of our own tools. Throws if one is not valid MCP. */
export function listOf(tools: readonly Tool[]): ListToolsResult {
  const list: unknown = { tools: tools.map(describedTool) };
  if (isSpecType.ListToolsResult(list)) return list;
  throw new TypeError('A tool description is not valid MCP.');
}

/** The list with tools of registered servers, which must not make the whole list invalid. */
export const withRegistered = (own: ListToolsResult, registered: readonly Tool[]): ListToolsResult => ({
  tools: [...own.tools, ...registered.flatMap(validTool)],
});

function validTool(tool: Tool): ListToolsResult['tools'] {
  const described: unknown = describedTool(tool);
  return isSpecType.Tool(described) ? [described] : [];
}

const describedTool = ({ name, title, description, annotations, inputSchema, outputSchema }: Tool): object => ({
  name,
  title,
  description,
  annotations,
  inputSchema,
  ...(outputSchema && { outputSchema }),
});
