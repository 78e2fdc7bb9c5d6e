import type { ChatRequest, MessagesTool } from '@switchyard/wire';
import { readTools } from '../conversation/tools.ts';
import { claudeRules, type ClaudeRules } from './models.ts';

/**
 * Models without answers by schema are made to call this tool, whose input is the answer. `undefined` where no schema is
 * asked for or the model takes it as it is.
 */
export function answerTool(request: ChatRequest, { schemas }: ClaudeRules): MessagesTool | undefined {
  const format = request.response_format;
  if (schemas || format?.type !== 'json_schema') return undefined;
  const { name, description, schema } = format.json_schema;
  const taken = new Set(readTools(request).tools.map((tool) => tool.name));
  const wished = name.replaceAll(/[^\w-]/g, '_').slice(0, 60) || 'answer';
  return {
    name: taken.has(wished) ? `${wished}_json` : wished,
    description: description ?? 'Gives the answer. Call it exactly once, with the whole answer as its input.',
    input_schema: { ...schema, type: 'object' },
  };
}

/** The name whose calls are the answer itself, so that they are told as text again. */
export const answerToolName = (request: ChatRequest, modelName: string): string | undefined =>
  answerTool(request, claudeRules(modelName))?.name;
