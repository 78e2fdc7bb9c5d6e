import type { ChatRequest } from '@tallyport/wire';
import { items, type Members, members } from '../read.ts';

/** `required` is `any` here, and a named tool is `any` with a list of only that tool. */
export function withAnyTool(body: Members, { tool_choice: choice }: ChatRequest): Members {
  if (body.tool_choice === 'required') return { ...body, tool_choice: 'any' };
  if (typeof choice !== 'object' || choice?.type !== 'function') return body;
  const tools = items(body.tools).filter((tool) => members(members(tool).function).name === choice.function.name);
  return { ...body, tools, tool_choice: 'any' };
}
