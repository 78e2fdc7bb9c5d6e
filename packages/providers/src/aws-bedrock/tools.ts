import type { BedrockTool, BedrockToolConfig, ChatRequest } from '@switchyard/wire';
import type { Conversation } from '../conversation/conversation.ts';
import { type OfferedTool, readTools, type ToolUse } from '../conversation/tools.ts';
import { ANSWER_TOOL, type AnswerForm, type SchemaForm } from './answer-form.ts';
import type { BedrockRules } from './models.ts';
import { cachePointAfter } from './parts.ts';

export interface ToolQuestion {
  request: ChatRequest;
  conversation: Conversation;
  form: AnswerForm;
  rules: BedrockRules;
}

export interface ToolPlan {
  toolConfig: BedrockToolConfig | undefined;
  /** The model has to call a tool: vendors of thinking models do not let them think then. */
  forced: boolean;
  /** Members for the model's own API. */
  additional: Readonly<Record<string, unknown>>;
}

/**
 * There is no choice `none`: then the tools are left out. Where the conversation has calls already there must be tools,
 * so that those stay, or stand-ins of the calls' names.
 */
export function toolPlanOf({ request, conversation, form, rules }: ToolQuestion): ToolPlan {
  const { tools, use } = readTools(request);
  const called = calledNames(conversation);
  const offered = use?.kind === 'none' && called.length === 0 ? [] : tools;
  const answerTool = form.kind === 'tool' ? [answerToolOf(form)] : [];
  const specs = [...offered.flatMap((tool) => specsOf(tool, rules)), ...answerTool];
  const known = specs.length > 0 ? specs : called.map(standIn);
  if (known.length === 0) return { toolConfig: undefined, forced: false, additional: {} };
  const choice = choiceOf(withAnswerTool(use, { form, onlyAnswer: offered.length === 0 }), rules);
  return {
    toolConfig: { tools: known, ...(choice && { toolChoice: choice }) },
    forced: choice !== undefined && !('auto' in choice),
    additional: request.parallel_tool_calls === false && rules.singleCalls ? singleCall(choice) : {},
  };
}

const calledNames = ({ turns }: Conversation): string[] => [
  ...new Set(turns.flatMap((turn) => (turn.role === 'assistant' ? turn.calls.map(({ name }) => name) : []))),
];

function specsOf({ name, description, parameters, strict, sent }: OfferedTool, rules: BedrockRules): BedrockTool[] {
  const inputSchema = { json: parameters ?? anyObject };
  const toolSpec = { name, ...(description !== undefined && { description }), inputSchema, ...(strict && { strict }) };
  return [{ toolSpec }, ...cachePointAfter(sent, rules)];
}

const anyObject = { type: 'object', properties: {} } as const;

const standIn = (name: string): BedrockTool => ({ toolSpec: { name, inputSchema: { json: anyObject } } });

const answerToolOf = ({ description, schema }: SchemaForm): BedrockTool => ({
  toolSpec: {
    name: ANSWER_TOOL,
    description: description ?? 'Gives the answer. Call it exactly once, with the whole answer as its input.',
    inputSchema: { json: schema },
  },
});

/** With tools of the client's beside it the model may call those first, but has to call one or answer. */
function withAnswerTool(
  use: ToolUse | undefined,
  { form, onlyAnswer }: { form: AnswerForm; onlyAnswer: boolean },
): ToolUse | undefined {
  if (form.kind !== 'tool' || use?.kind === 'one') return use;
  return onlyAnswer || use?.kind === 'none' ? { kind: 'one', name: ANSWER_TOOL } : { kind: 'any' };
}

function choiceOf(use: ToolUse | undefined, { toolChoice }: BedrockRules): BedrockToolConfig['toolChoice'] {
  if (use === undefined || use.kind === 'none') return undefined;
  if (use.kind === 'auto') return toolChoice === 'none' ? undefined : { auto: {} };
  // Refused before it comes to this.
  if (toolChoice === 'none') return undefined;
  // Held to any tool is as near as some models come to being held to one.
  return use.kind === 'one' && toolChoice === 'all' ? { tool: { name: use.name } } : { any: {} };
}

/** The model's own way of saying it; it repeats the choice, which it would otherwise replace. */
function singleCall(choice: BedrockToolConfig['toolChoice']): Readonly<Record<string, unknown>> {
  const single = { disable_parallel_tool_use: true };
  if (choice !== undefined && 'any' in choice) return { tool_choice: { type: 'any', ...single } };
  if (choice !== undefined && 'tool' in choice) {
    return { tool_choice: { type: 'tool', name: choice.tool.name, ...single } };
  }
  return { tool_choice: { type: 'auto', ...single } };
}
