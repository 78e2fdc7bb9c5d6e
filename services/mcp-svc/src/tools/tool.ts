import type { InternalBearer, McpScope } from '@switchyard/contracts';
import { z } from 'zod';
import { readArguments } from './read-arguments.ts';

export type ContentBlock = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };

/** What a tool answers with. `isError` is for the model to read: its text says what to do. */
export type ToolResult = {
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  _meta?: Record<string, unknown>;
};

/** Who calls a tool, and on which request. */
export interface ToolCaller extends InternalBearer {
  requestId: string;
  traceparent: string | undefined;
}

export interface ToolContext {
  caller: ToolCaller;
  /** Aborts when the client left or the call's time is up. */
  signal: AbortSignal;
}

export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A tool as data: what clients are told of it and the one function behind it. */
export interface Tool {
  name: string;
  title: string;
  /** For the model that chooses: what it is for, and what it costs. */
  description: string;
  /** Which OAuth tokens may call it. */
  scope: McpScope;
  annotations: Annotations;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown> | undefined;
  /** Throws `invalid_parameters` for arguments that do not fit. */
  call(input: unknown, context: ToolContext): Promise<ToolResult>;
}

export interface ToolDefinition<Input extends z.ZodObject> extends Pick<
  Tool,
  'name' | 'title' | 'description' | 'scope' | 'annotations'
> {
  input: Input;
  output?: z.ZodObject;
  call(input: z.output<Input>, context: ToolContext): Promise<ToolResult>;
}

/** A typed definition as the tool that all others look like. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, title, description, scope, annotations, input, output } = definition;
  return {
    name,
    title,
    description,
    scope,
    annotations,
    inputSchema: z.toJSONSchema(input, { io: 'input' }),
    outputSchema: output && z.toJSONSchema(output),
    call: (argumentsGiven, context) => definition.call(readArguments(input, argumentsGiven), context),
  };
}

/** Reading changes nothing and touches nobody outside. */
export const readOnly: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Asking again costs again and answers differently; what exists is left alone. */
export const generating: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
