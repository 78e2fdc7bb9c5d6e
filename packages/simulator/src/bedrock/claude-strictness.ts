import { isObject, jsonOf, objectsOf, type JsonObject } from '@tallyport/sandbox';
import { checkCompanions } from '../anthropic/company-strictness.ts';
import type { AnthropicFinding } from '../anthropic/errors.ts';
import { anthropicRulesOf } from '../anthropic/models.ts';
import { checkStrictSchema } from '../anthropic/schema-strictness.ts';
import { checkAnthropicTools } from '../anthropic/tool-strictness.ts';
import { bedrockInvalid, type BedrockFinding } from './errors.ts';

/** Converse translates a request for Claude to Claude's own format and passes on the errors of that API. */
export function findClaudeFault(body: JsonObject, model: string): BedrockFinding {
  const rules = anthropicRulesOf(claudeName(model));
  if (rules === undefined) return undefined;
  const conflict = findConflict(body);
  if (conflict !== undefined) return conflict;
  const own = inClaudesForm(body);
  const schema = schemaOf(body.outputConfig);
  const fault: AnthropicFinding =
    checkAnthropicTools(own, rules) ??
    checkCompanions(own, rules) ??
    (schema === undefined ? undefined : checkStrictSchema(schema, 'output_config.format.schema'));
  return fault && bedrockInvalid(`The model returned the following errors: ${fault.message}`);
}

/** `us.anthropic.claude-sonnet-4-5-20250929-v1:0` without region, vendor and version. */
export const claudeName = (model: string): string =>
  /anthropic\.(claude-[\w-]+?)(-v\d+)?(:\d+)?$/.exec(model)?.[1] ?? '';

/** Settings given both in Converse's members and in Claude's own. */
function findConflict({ toolConfig, additionalModelRequestFields: extra }: JsonObject): BedrockFinding {
  const choice =
    isObject(toolConfig) && isObject(toolConfig.toolChoice) ? Object.keys(toolConfig.toolChoice)[0] : undefined;
  const own = isObject(extra) ? extra.tool_choice : undefined;
  if (!isObject(own)) return undefined;
  if (choice === undefined && own.type === undefined)
    return bedrockInvalid('The model returned the following errors: tool_choice.type: Field required');
  const twice = choice === undefined ? undefined : ['type', 'name'].find((name) => name in own);
  if (twice === undefined) return undefined;
  return bedrockInvalid(
    `The additional field tool_choice/${twice} conflicts with the existing field toolConfig.toolChoice.${choice}. Remove tool_choice/${twice} and try again.`,
  );
}

function inClaudesForm({
  messages,
  toolConfig,
  outputConfig,
  additionalModelRequestFields: extra,
}: JsonObject): JsonObject {
  const config = isObject(toolConfig) ? toolConfig : {};
  const own = isObject(extra) ? extra : {};
  const output = isObject(own.output_config) ? own.output_config : {};
  const choice = { ...choiceIn(config.toolChoice), ...(isObject(own.tool_choice) ? own.tool_choice : {}) };
  return {
    max_tokens: Number.POSITIVE_INFINITY,
    ...own,
    messages: objectsOf(messages).map(({ role, content }) => ({ role, content: objectsOf(content).map(blockOf) })),
    tools: objectsOf(config.tools)
      .map(({ toolSpec }) => toolSpec)
      .filter(isObject)
      .map(toolOf),
    ...(Object.keys(choice).length > 0 && { tool_choice: choice }),
    output_config: { ...output, ...(outputConfig !== undefined && { format: schemaOf(outputConfig) }) },
  };
}

function choiceIn(choice: unknown): JsonObject {
  if (!isObject(choice)) return {};
  if (isObject(choice.tool)) return { type: 'tool', name: choice.tool.name };
  return { type: Object.keys(choice)[0] };
}

const toolOf = ({ name, inputSchema, strict }: JsonObject): JsonObject => ({
  name,
  input_schema: isObject(inputSchema) ? inputSchema.json : undefined,
  ...(strict !== undefined && { strict }),
});

/** Only the parts that matter for checks of combinations. */
function blockOf({ toolUse, toolResult, reasoningContent }: JsonObject): JsonObject {
  if (isObject(toolUse)) return { type: 'tool_use', id: toolUse.toolUseId };
  if (isObject(toolResult)) return { type: 'tool_result', tool_use_id: toolResult.toolUseId };
  return { type: reasoningContent === undefined ? 'text' : 'thinking' };
}

/** `textFormat.structure.jsonSchema.schema` is a string. */
function schemaOf(config: unknown): unknown {
  const format = isObject(config) && isObject(config.textFormat) ? config.textFormat : {};
  const structure = isObject(format.structure) ? format.structure : {};
  const text = isObject(structure.jsonSchema) ? structure.jsonSchema.schema : undefined;
  return typeof text === 'string' ? jsonOf(text) : text;
}
