import { isObject, objectsOf, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { anthropicInvalid, type AnthropicFinding } from './errors.ts';
import type { AnthropicRules } from './models.ts';
import { checkStrictSchema } from './schema-strictness.ts';

export function checkAnthropicTools(
  { tools, tool_choice: choice, messages }: JsonObject,
  { jsonFormat }: AnthropicRules,
): AnthropicFinding {
  if (tools !== undefined && !Array.isArray(tools)) return anthropicInvalid('tools: Input should be a valid list');
  const declared: readonly unknown[] = tools ?? [];
  const usesTools = objectsOf(messages).some(({ content }) =>
    objectsOf(content).some(({ type }) => type === 'tool_use'),
  );
  if (declared.length === 0 && usesTools)
    return anthropicInvalid('Requests which include `tool_use` or `tool_result` blocks must define tools');
  return (
    findFirst(declared, checkTool) ??
    findFirst(declared, (tool, index) => checkStrictTool(tool, { index, jsonFormat })) ??
    checkChoice(choice, declared)
  );
}

function checkStrictTool(
  tool: unknown,
  { index, jsonFormat }: { index: number; jsonFormat: boolean },
): AnthropicFinding {
  if (!isObject(tool) || tool.strict === undefined) return undefined;
  if (!jsonFormat) return anthropicInvalid(`tools.${index}.custom.strict: Extra inputs are not permitted`);
  return tool.strict === true ? checkStrictSchema(tool.input_schema, `tools.${index}.custom`) : undefined;
}

function checkTool(tool: unknown, index: number): AnthropicFinding {
  if (!isObject(tool)) return anthropicInvalid(`tools.${index}: Input should be a valid dictionary`);
  // Server tools have dated types and no schema.
  if (tool.type !== undefined && tool.type !== 'custom') return undefined;
  const { name, input_schema: schema } = tool;
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
    return anthropicInvalid(`tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  if (!isObject(schema)) return anthropicInvalid(`tools.${index}.custom.input_schema: Field required`);
  if (['oneOf', 'allOf', 'anyOf'].some((keyword) => keyword in schema))
    return anthropicInvalid(
      `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
    );
  return schema.type === 'object'
    ? undefined
    : anthropicInvalid(`tools.${index}.custom.input_schema.type: Input should be 'object'`);
}

function checkChoice(choice: unknown, tools: readonly unknown[]): AnthropicFinding {
  if (choice === undefined) return undefined;
  const type = isObject(choice) ? String(choice.type) : '';
  if (!isObject(choice) || !['auto', 'any', 'tool', 'none'].includes(type))
    return anthropicInvalid(
      `tool_choice: Input tag '${type}' found using 'type' does not match any of the expected tags: 'any', 'auto', 'none', 'tool'`,
    );
  if (tools.length === 0) return anthropicInvalid('tool_choice: may only be specified while providing tools.');
  if (type === 'none' && choice.disable_parallel_tool_use !== undefined)
    return anthropicInvalid('tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted');
  if (type !== 'tool' || objectsOf(tools).some(({ name }) => name === choice.name)) return undefined;
  return anthropicInvalid(`tool_choice.tool.name: Tool '${String(choice.name)}' not found in provided tools`);
}
