import type { BedrockTool, BedrockToolConfig, ChatRequest } from '@tallyport/wire';
import { strictToolInput, toolInput } from '../anthropic/input-schema.ts';
import { calledTools } from '../conversation/called-tools.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { usesFunctions } from '../conversation/function-form.ts';
import { type OfferedTool, type OfferedTools, readTools, type ToolUse } from '../conversation/tools.ts';
import type { Members } from '../read.ts';
import { ANSWER_TOOL, type AnswerForm, type SchemaForm } from './answer-form.ts';
import type { BedrockRules } from './models.ts';
import { cachePointAfter } from './parts.ts';

interface ToolPlanOptions {
  request: ChatRequest;
  conversation: Conversation;
  form: AnswerForm;
  rules: BedrockRules;
}

export interface ToolPlan {
  toolConfig: BedrockToolConfig | undefined;
  /** Whether a tool call is forced. Models that sign their thinking do not think then. */
  forced: boolean;
  /** Members of the model's own API. */
  additional: Readonly<Record<string, unknown>>;
}

/**
 * The API has no tool choice `none`, so the tools are left out instead. Models that cannot be forced to call one
 * particular tool are offered only that one. If the conversation already contains calls,
 * tools are required: the client's, or stand-ins with the names of the calls.
 */
export function toolPlanOf({ request, conversation, form, rules }: ToolPlanOptions): ToolPlan {
  const { tools, use, isOnly } = callableTools(request, rules);
  const called = calledTools(conversation);
  const offered = use?.kind === 'none' && called.length === 0 ? [] : tools;
  const answerTool = form.kind === 'tool' && !isOnly ? [answerToolOf(form, rules)] : [];
  const specs = [...offered.flatMap((tool) => specsOf(tool, rules)), ...answerTool];
  const known = specs.length > 0 ? specs : called.map(standIn);
  if (known.length === 0) return { toolConfig: undefined, forced: false, additional: {} };
  const choice = choiceOf(withAnswerTool(use, { form, onlyAnswer: offered.length === 0 }), rules);
  return {
    toolConfig: { tools: known, ...(choice && { toolChoice: choice }) },
    forced: choice !== undefined && !('auto' in choice),
    additional: rules.singleCalls && isSingle(request) ? singleCall(choice) : {},
  };
}

function callableTools(request: ChatRequest, { toolChoice }: BedrockRules): OfferedTools & { isOnly: boolean } {
  const { tools, use } = readTools(request);
  const only = toolChoice === 'any' && use?.kind === 'one' ? tools.filter(({ name }) => name === use.name) : [];
  return { tools: only.length > 0 ? only : tools, use, isOnly: only.length > 0 };
}

const isSingle = (request: ChatRequest): boolean => request.parallel_tool_calls === false || usesFunctions(request);

function specsOf({ name, description, parameters, strict, sent }: OfferedTool, rules: BedrockRules): BedrockTool[] {
  const { json, ...held } = inputOf({ parameters, strict }, rules);
  const toolSpec = { name, ...(description !== undefined && { description }), inputSchema: { json }, ...held };
  return [{ toolSpec }, ...cachePointAfter(sent, rules)];
}

function inputOf(
  { parameters, strict }: Pick<OfferedTool, 'parameters' | 'strict'>,
  { toolSchemas }: BedrockRules,
): { json: Members; strict?: true } {
  if (toolSchemas === 'as sent') {
    return { json: parameters ? { type: 'object', ...parameters } : anyObject, ...(strict && { strict }) };
  }
  const held = strict && toolSchemas === 'claude' ? strictToolInput(parameters) : undefined;
  return held === undefined ? { json: toolInput(parameters) } : { json: held, strict: true };
}

const anyObject = { type: 'object', properties: {} } as const;

const standIn = (name: string): BedrockTool => ({ toolSpec: { name, inputSchema: { json: anyObject } } });

const answerToolOf = ({ description, schema }: SchemaForm, rules: BedrockRules): BedrockTool => ({
  toolSpec: {
    name: ANSWER_TOOL,
    description: description ?? 'Gives the answer. Call it exactly once, with the whole answer as its input.',
    inputSchema: { json: inputOf({ parameters: schema, strict: false }, rules).json },
  },
});

/** If the client offers other tools, the model may call those first, but it must either call one or answer. */
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
  // Such a request is refused earlier.
  if (toolChoice === 'none') return undefined;
  // Some models can only be forced to call any tool, and are offered no other one.
  return use.kind === 'one' && toolChoice === 'all' ? { tool: { name: use.name } } : { any: {} };
}

/**
 * Limits the model to one call in its own API. A tool choice is added only if the request has none: two would conflict.
 */
const singleCall = (choice: BedrockToolConfig['toolChoice']): Readonly<Record<string, unknown>> => ({
  tool_choice: { ...(choice === undefined && { type: 'auto' }), disable_parallel_tool_use: true },
});
