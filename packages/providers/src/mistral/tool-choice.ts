import type { ChatRequest } from '@switchyard/wire';
import { items, type Members, members } from '../read.ts';

/** "Some tool" is `any` here, and a named one is "some tool" of a list that holds no other. */
export function withAnyTool(body: Members, { tool_choice: choice }: ChatRequest): Members {
  if (choice === 'required') return { ...body, tool_choice: 'any' };
  if (typeof choice !== 'object' || choice?.type !== 'function') return body;
  const tools = items(body.tools).filter((tool) => members(members(tool).function).name === choice.function.name);
  return { ...body, tools, tool_choice: 'any' };
}
