import type { ChatRequest, MessagesTool } from '@tallyport/wire';
import { readTools } from '../conversation/tools.ts';
import type { Members } from '../read.ts';
import { toolInput } from './input-schema.ts';
import { claudeRules, type ClaudeRules } from './models.ts';
import { claudeSchema } from './schema.ts';

/**
 * How the requested answer format is enforced. `native`: structured outputs. `tool`: a forced tool call whose input is
 * the answer. `words`: an instruction in the system prompt, for models that support neither.
 */
export type ClaudeAnswerForm =
  | { kind: 'free' }
  | { kind: 'native'; schema: Members }
  | { kind: 'tool'; tool: MessagesTool }
  | { kind: 'words'; instruction: string };

const jsonOnly = 'Answer with one JSON object and nothing else: no explanation, no code fence.';

export function claudeAnswerForm(request: ChatRequest, rules: ClaudeRules): ClaudeAnswerForm {
  const format = request.response_format;
  if (format?.type === 'json_object') return { kind: 'words', instruction: jsonOnly };
  if (format?.type !== 'json_schema') return { kind: 'free' };
  const schema = format.json_schema.schema ?? { type: 'object' };
  const native = rules.schemas ? claudeSchema(schema) : undefined;
  if (native !== undefined) return { kind: 'native', schema: native };
  if (rules.forcedTools) return { kind: 'tool', tool: answerTool(request, format.json_schema) };
  const instruction = `${jsonOnly} It has to follow this JSON schema: ${JSON.stringify(schema)}`;
  return { kind: 'words', instruction };
}

function answerTool(
  request: ChatRequest,
  { name, description, schema }: { name: string; description?: string | null; schema?: Members | null },
): MessagesTool {
  const taken = new Set(readTools(request).tools.map((tool) => tool.name));
  const preferred = name.replaceAll(/[^\w-]/g, '_').slice(0, 60) || 'answer';
  return {
    name: taken.has(preferred) ? `${preferred}_json` : preferred,
    description: description ?? 'Gives the answer. Call it exactly once, with the whole answer as its input.',
    input_schema: toolInput(schema ?? {}),
  };
}

/** The tool whose calls are the answer itself and are returned as text; `undefined` if there is none. */
export function answerToolName(request: ChatRequest, modelName: string): string | undefined {
  const form = claudeAnswerForm(request, claudeRules(modelName));
  return form.kind === 'tool' ? form.tool.name : undefined;
}
