import type { CallerRights, McpScope, Principal } from '@tallyport/contracts';
import { z } from 'zod';
import { readArguments } from './read-arguments.ts';

export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  // Only tools of registered servers return these.
  | { type: 'audio'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string }
  | { type: 'resource'; resource: { uri: string; text: string } | { uri: string; blob: string } };

/** The result of a tool. With `isError`, the text explains to the model what to do. */
export type ToolResult = {
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  _meta?: Record<string, unknown>;
};

/** The caller of a tool and its request. */
export interface ToolCaller extends CallerRights {
  principal: Principal;
  requestId: string;
  traceparent: string | undefined;
  /** The header that names the end user. */
  endUser?: string | undefined;
}

/** How far a call has progressed, in numbers of the tool's choice. */
export interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export interface ToolContext {
  caller: ToolCaller;
  /** Aborts when the client disconnects or the call's deadline passes. */
  signal: AbortSignal;
  /** Reports progress of tools that have `reportsProgress`; absent if the client requested none. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** A call of a batch after the first, which edge did not count. */
  isFurther?: boolean;
}

export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A tool: its description for clients, and the function that runs it. */
export interface Tool {
  name: string;
  title: string;
  /** Describes to the choosing model what the tool does and costs. */
  description: string;
  /** The OAuth scope needed to call it. */
  scope: McpScope;
  annotations: Partial<Annotations>;
  /** A tool of a registered server. Metrics name all of these alike. */
  registered?: true;
  /** Set if the tool reports its own progress. */
  reportsProgress?: true;
  /** The tool that lists the valid values of its `model` argument. */
  modelsFrom?: 'list-models' | 'list-image-models' | undefined;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown> | undefined;
  /** Runs the tool. Throws `invalid_parameters` for invalid arguments. */
  call(input: unknown, context: ToolContext): Promise<ToolResult>;
}

interface ToolDefinition<Input extends z.ZodObject> extends Pick<
  Tool,
  'name' | 'title' | 'description' | 'scope' | 'annotations' | 'modelsFrom'
> {
  input: Input;
  output?: z.ZodObject;
  call(input: z.output<Input>, context: ToolContext): Promise<ToolResult>;
}

/** Turns a typed definition into a `Tool` with JSON schemas and argument checks. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, title, description, scope, annotations, modelsFrom, input, output } = definition;
  return {
    name,
    title,
    description,
    scope,
    annotations,
    modelsFrom,
    inputSchema: z.toJSONSchema(input, { io: 'input' }),
    outputSchema: output && z.toJSONSchema(output),
    call: (argumentsGiven, context) => definition.call(readArguments(input, argumentsGiven), context),
  };
}

/** For tools that only read, and contact nothing outside the gateway. */
export const readOnly: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** For tools that generate: each call costs money and gives a different result, but changes no existing data. */
export const generating: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
