import type { ChatRequest } from '@tallyport/wire';
import { text } from '../read.ts';
import { customTool } from './calls.ts';

/** A tool as the client offers it. */
export interface OfferedTool {
  name: string;
  description: string | undefined;
  /** JSON schema of the input; `undefined` if the tool has no input. */
  parameters: Readonly<Record<string, unknown>> | undefined;
  strict: boolean;
  /** The tool as the client sent it, for vendor-specific members. */
  sent: Readonly<Record<string, unknown>>;
}

/** What the model may or must do with the tools. */
export type ToolUse =
  /** `validated`: calls must follow their schemas, on models that support that. */
  { kind: 'auto'; validated?: true } | { kind: 'none' } | { kind: 'any' } | { kind: 'one'; name: string };

export interface OfferedTools {
  tools: readonly OfferedTool[];
  /** `undefined` if the client did not say. */
  use: ToolUse | undefined;
}

/** Reads tools and tool choice in the new or the old form. For `allowed_tools`, only the allowed tools are returned. */
export function readTools(request: ChatRequest): OfferedTools {
  const tools = offeredIn(request);
  const choice = request.tool_choice ?? request.function_call;
  if (typeof choice === 'object' && choice !== null && 'allowed_tools' in choice && isAllowance(choice.allowed_tools)) {
    const allowed = new Set(choice.allowed_tools.tools.map(nameIn));
    return {
      tools: tools.filter(({ name }) => allowed.has(name)),
      use: { kind: choice.allowed_tools.mode === 'required' ? 'any' : 'auto' },
    };
  }
  return { tools, use: useOf(choice) };
}

function offeredIn(request: ChatRequest): OfferedTool[] {
  const old = (request.functions ?? []).map((sent) => offered(sent, sent));
  const tools = (request.tools ?? []).map((sent, index) => {
    if (sent.type === 'custom') throw customTool(`tools[${index}]`);
    return offered(sent.function, sent);
  });
  return [...tools, ...old];
}

type Described = Readonly<Record<string, unknown>> & { name: string };

const offered = (described: Described, sent: Readonly<Record<string, unknown>>): OfferedTool => ({
  name: described.name,
  description: text(described.description),
  parameters: isSchema(described.parameters) ? described.parameters : undefined,
  strict: described.strict === true,
  sent,
});

const isSchema = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

function useOf(choice: unknown): ToolUse | undefined {
  if (choice === 'none' || choice === 'auto') return { kind: choice };
  if (choice === 'validated') return { kind: 'auto', validated: true };
  if (choice === 'required') return { kind: 'any' };
  const name = nameIn(choice);
  return name === undefined ? undefined : { kind: 'one', name };
}

/** `{type, function: {name}}`, or the old `{name}`. */
function nameIn(choice: unknown): string | undefined {
  if (typeof choice !== 'object' || choice === null) return undefined;
  if ('function' in choice) return nameIn(choice.function);
  return 'name' in choice ? text(choice.name) : undefined;
}

interface Allowance {
  mode: string;
  tools: readonly unknown[];
}

const isAllowance = (value: unknown): value is Allowance =>
  typeof value === 'object' && value !== null && 'tools' in value && Array.isArray(value.tools) && 'mode' in value;
