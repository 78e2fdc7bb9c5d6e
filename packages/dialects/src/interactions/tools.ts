import type { ChatRequest } from '@tallyport/wire';
import { toChoice } from '../gemini/tools.ts';
import type { InteractionConfig, InteractionTool } from './request-schema.ts';

const modes = { auto: 'AUTO', any: 'ANY', none: 'NONE', validated: 'VALIDATED' } as const;

export function interactionTools(
  tools: readonly InteractionTool[],
  wanted: InteractionConfig['tool_choice'],
): Pick<ChatRequest, 'tools' | 'tool_choice'> {
  // Without tools there is nothing to choose, and vendors refuse a choice.
  if (tools.length === 0) return {};
  const choice = choiceOf(wanted);
  return { tools: tools.map(toHubTool), ...(choice && { tool_choice: choice }) };
}

const toHubTool = ({ name, description, parameters }: InteractionTool) => ({
  type: 'function' as const,
  function: { name, ...(description && { description }), ...(parameters && { parameters }) },
});

function choiceOf(wanted: InteractionConfig['tool_choice']): ChatRequest['tool_choice'] {
  if (typeof wanted === 'string') return toChoice({ mode: modes[wanted] });
  const { mode, tools: names } = wanted?.allowed_tools ?? {};
  if (names == null) return toChoice({ mode: mode && modes[mode] });
  // Among some tools the model may call none, unless it is said that it must.
  return toChoice({ mode: mode === 'any' || mode === 'none' ? modes[mode] : 'VALIDATED', allowedFunctionNames: names });
}
