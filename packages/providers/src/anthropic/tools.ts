import type { ChatRequest, MessagesTool, MessagesToolChoice, MessagesWebSearch } from '@tallyport/wire';
import { calledTools } from '../conversation/called-tools.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { usesFunctions } from '../conversation/function-form.ts';
import { type OfferedTool, readTools, type ToolUse } from '../conversation/tools.ts';
import { members, text } from '../read.ts';
import type { ClaudeAnswerForm } from './answer-form.ts';
import { cacheControlOf } from './content.ts';
import { strictToolInput, toolInput } from './input-schema.ts';
import type { ClaudeRules } from './models.ts';

interface AnthropicTools {
  tools?: (MessagesTool | MessagesWebSearch)[];
  tool_choice?: MessagesToolChoice;
}

interface ToolsOptions {
  request: ChatRequest;
  conversation: Conversation;
  rules: ClaudeRules;
  form: ClaudeAnswerForm;
}

/** The client's tools, the vendor's web search if requested, and the answer tool that carries a schema. */
export function anthropicTools({ request, conversation, rules, form }: ToolsOptions): AnthropicTools {
  const offered = readTools(request);
  const answer = form.kind === 'tool' ? form.tool : undefined;
  const search = request.web_search_options ? [webSearch(request.web_search_options)] : [];
  const tools = [...offered.tools.map((tool) => toTool(tool, rules)), ...search, ...(answer ? [answer] : [])];
  if (tools.length === 0) return standIns(conversation);
  const use = answer === undefined ? offered.use : useWithAnswer(offered.use, tools.length, answer.name);
  const choice = toChoice(use, request.parallel_tool_calls === false || usesFunctions(request));
  return { tools, ...(choice && { tool_choice: choice }) };
}

/**
 * The vendor requires a declaration of every tool called earlier. Those the client no longer offers may not be called.
 */
function standIns(conversation: Conversation): AnthropicTools {
  const tools = calledTools(conversation).map((name) => ({ name, input_schema: toolInput() }));
  return tools.length === 0 ? {} : { tools, tool_choice: { type: 'none' } };
}

function toTool({ name, description, parameters, strict, sent }: OfferedTool, { schemas }: ClaudeRules): MessagesTool {
  const held = strict && schemas ? strictToolInput(parameters) : undefined;
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: held ?? toolInput(parameters),
    ...(held && { strict }),
    ...cacheControlOf(sent),
  };
}

/** The answer tool must be called, so a call is forced: of this tool if it is the only one, else of any tool. */
function useWithAnswer(use: ToolUse | undefined, tools: number, name: string): ToolUse {
  if (use?.kind === 'one' || use?.kind === 'any') return use;
  return tools === 1 || use?.kind === 'none' ? { kind: 'one', name } : { kind: 'any' };
}

function toChoice(use: ToolUse | undefined, single: boolean): MessagesToolChoice | undefined {
  const rest = single ? { disable_parallel_tool_use: true } : {};
  switch (use?.kind) {
    case undefined:
      return single ? { type: 'auto', ...rest } : undefined;
    case 'one':
      return { type: 'tool', name: use.name, ...rest };
    case 'none':
      return { type: 'none' };
    case 'auto':
    case 'any':
      return { type: use.kind, ...rest };
    default:
      return use satisfies never;
  }
}

function webSearch(options: Readonly<Record<string, unknown>>): MessagesWebSearch {
  const { city, country, region, timezone } = members(members(options.user_location).approximate);
  const place = Object.entries({ city, country, region, timezone }).filter(([, value]) => text(value) !== undefined);
  return {
    type: 'web_search_20250305',
    name: 'web_search',
    ...(place.length > 0 && { user_location: { type: 'approximate', ...Object.fromEntries(place) } }),
  };
}
