import type { ChatRequest } from '@tallyport/wire';
import { customDescription, customParameters } from './custom-input.ts';
import type { PlacedItem } from './conversation.ts';
import type { ResponsesRequest } from './request-schema.ts';
import type { ResponsesCustomTool, ResponsesFunctionTool, ResponsesTool, ResponsesToolSearch } from './tool-schema.ts';
import type { ToolNames, ToolTarget } from './tool-names.ts';
import { toolSearchDeclaration, toolSearchTarget } from './tool-search.ts';
import { refuseMember } from '../refuse-member.ts';

type ChatTool = NonNullable<ChatRequest['tools']>[number];

/**
 * The tools of a request in the chat's form, those that its history adds included. `defer_loading` is ignored, as all
 * tools are offered from the beginning, and `output_schema`, which no chat has.
 */
export function readDeclaredTools(
  { tools }: ResponsesRequest,
  items: readonly PlacedItem[],
  names: ToolNames,
): ChatTool[] {
  const first = (tools ?? []).flatMap((tool, index) => declared(tool, `tools[${index}]`, names));
  return [...first, ...laterTools(items, names)];
}

/** A history may bring the same tool several times. */
function laterTools(items: readonly PlacedItem[], names: ToolNames): ChatTool[] {
  return items.flatMap(({ item, path }) => {
    if (item.type !== 'tool_search_output' && item.type !== 'additional_tools') return [];
    return item.tools.flatMap((tool, at) => declared(withoutKnown(tool, names), `${path}.tools[${at}]`, names));
  });
}

function withoutKnown(tool: ResponsesTool, names: ToolNames): ResponsesTool | undefined {
  if (tool.type === 'namespace') {
    return { ...tool, tools: tool.tools.filter((child) => !names.isDeclared(targetOf(child, tool.name))) };
  }
  if (tool.type === 'tool_search') return names.isDeclared(toolSearchTarget) ? undefined : tool;
  const isKnown = (tool.type === 'function' || tool.type === 'custom') && names.isDeclared(targetOf(tool));
  return isKnown ? undefined : tool;
}

function declared(tool: ResponsesTool | undefined, path: string, names: ToolNames): ChatTool[] {
  switch (tool?.type) {
    case 'function':
    case 'custom':
      return [chatTool(tool, { target: targetOf(tool), path, names })];
    case 'namespace':
      return tool.tools.map((child, index) =>
        chatTool(child, { target: targetOf(child, tool.name), path: `${path}.tools[${index}]`, names }),
      );
    case 'tool_search':
      return tool.execution === 'client' ? [searchTool(tool, path, names)] : [];
    default:
      // The search of the web: nothing here runs it, and clients declare it by habit.
      return [];
  }
}

type CallableTool = ResponsesFunctionTool | ResponsesCustomTool;

const targetOf = ({ type, name }: CallableTool, namespace?: string): ToolTarget => ({
  kind: type,
  name,
  ...(namespace !== undefined && { namespace }),
});

interface ToolPlace {
  target: ToolTarget;
  path: string;
  names: ToolNames;
}

function chatTool(tool: CallableTool, { target, path, names }: ToolPlace): ChatTool {
  const name = names.declare(target);
  if (name === undefined) refuseMember(`${path}.name`, 'another tool has this name');
  if (tool.type === 'custom') {
    const described = customDescription(tool);
    return functionTool({ name, description: described, parameters: customParameters, strict: false });
  }
  const { description, parameters, strict } = tool;
  // Written out: without it this API tries to be strict, and a chat does not.
  return functionTool({ name, description, parameters, strict: strict ?? false });
}

function searchTool(tool: ResponsesToolSearch, path: string, names: ToolNames): ChatTool {
  const name = names.declare(toolSearchTarget);
  if (name === undefined) refuseMember(path, `another tool has the name ${toolSearchTarget.name}`);
  return functionTool({ name, ...toolSearchDeclaration(tool), strict: false });
}

type ChatFunction = Extract<ChatTool, { type: 'function' }>['function'];

function functionTool({ name, description, parameters, strict }: ChatFunction): ChatTool {
  const described = { name, ...(description != null && { description }), ...(parameters && { parameters }), strict };
  return { type: 'function', function: described };
}
