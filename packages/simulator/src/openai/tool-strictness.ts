import { findFirst } from '../finding.ts';
import { isObject, type JsonObject, invalidRequest, functionName } from '@tallyport/sandbox';
import { oneOfCheck, wrongType, type OpenAiFinding } from './value-checks.ts';

const maxTools = 128;

export function checkOpenAiTools(body: JsonObject): OpenAiFinding {
  const tools = Array.isArray(body.tools) ? body.tools : undefined;
  if (tools?.length === 0)
    return invalidRequest(
      "Invalid 'tools': empty array. Expected an array with minimum length 1.",
      'tools',
      'empty_array',
    );
  if (tools !== undefined && tools.length > maxTools)
    return invalidRequest(
      `Invalid 'tools': array too long. Expected an array with maximum length ${maxTools}, but got an array with length ${tools.length} instead.`,
      'tools',
      'array_above_max_length',
    );
  return findFirst(tools ?? [], (tool, index) => checkTool(tool, `tools[${index}]`)) ?? checkToolChoice(body, tools);
}

function checkTool(tool: unknown, param: string): OpenAiFinding {
  if (!isObject(tool)) return wrongType(param, 'an object', tool);
  if (tool.type === 'custom') return undefined;
  if (tool.type !== 'function') return oneOfCheck(['function', 'custom'])(`${param}.type`, tool.type);
  const name = isObject(tool.function) ? tool.function.name : undefined;
  const path = `${param}.function.name`;
  if (name === undefined)
    return invalidRequest(`Missing required parameter: '${path}'.`, path, 'missing_required_parameter');
  if (typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name)) return undefined;
  return invalidRequest(
    `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    path,
    'invalid_value',
  );
}

function checkToolChoice(body: JsonObject, tools: readonly unknown[] | undefined): OpenAiFinding {
  const { tool_choice: choice, parallel_tool_calls: parallel } = body;
  if (tools === undefined && choice !== undefined && choice !== null && choice !== 'none')
    return invalidRequest("'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice');
  if (tools === undefined && typeof parallel === 'boolean')
    return invalidRequest("'parallel_tool_calls' is only allowed when 'tools' are specified.", 'parallel_tool_calls');
  if (typeof choice === 'string') return oneOfCheck(['none', 'auto', 'required'])('tool_choice', choice);
  const forced = functionName(choice);
  const known = (tools ?? []).some((tool) => functionName(tool) === forced);
  if (forced === undefined || known) return undefined;
  return invalidRequest(`Invalid value: '${forced}' is not one of the tools.`, 'tool_choice', 'invalid_value');
}
