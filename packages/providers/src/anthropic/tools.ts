import type { ChatRequest, MessagesTool, MessagesToolChoice, MessagesWebSearch } from '@switchyard/wire';
import { type OfferedTool, readTools, type ToolUse } from '../conversation/tools.ts';
import { members, text } from '../read.ts';
import { answerTool } from './answer-tool.ts';
import { cacheControlOf } from './content.ts';
import type { ClaudeRules } from './models.ts';

export interface AnthropicTools {
  tools?: (MessagesTool | MessagesWebSearch)[];
  tool_choice?: MessagesToolChoice;
}

/** The client's tools, the vendor's own search where it is asked for, and the tool that stands for a schema. */
export function anthropicTools(request: ChatRequest, rules: ClaudeRules): AnthropicTools {
  const offered = readTools(request);
  const answer = answerTool(request, rules);
  const search = request.web_search_options ? [webSearch(request.web_search_options)] : [];
  const tools = [...offered.tools.map((tool) => toTool(tool, rules)), ...search, ...(answer ? [answer] : [])];
  if (tools.length === 0) return {};
  const use = answer === undefined ? offered.use : useWithAnswer(offered.use, tools.length, answer.name);
  const choice = toChoice(use, request.parallel_tool_calls === false);
  return { tools, ...(choice && { tool_choice: choice }) };
}

function toTool({ name, description, parameters, strict, sent }: OfferedTool, { schemas }: ClaudeRules): MessagesTool {
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: { ...(parameters ?? { properties: {} }), type: 'object' },
    ...(strict && schemas && { strict }),
    ...cacheControlOf(sent),
  };
}

/** An answer by schema is a call too: something has to be called, and without other tools it is this one. */
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
