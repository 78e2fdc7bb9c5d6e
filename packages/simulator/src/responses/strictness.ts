import { type ApiError, invalidRequest, isObject, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { acceptedName, wrongName } from '../openai/call-strictness.ts';
import { checkByModel } from '../openai/model-strictness.ts';
import {
  integerCheck,
  numberCheck,
  oneOfCheck,
  unknownParameter,
  wrongType,
  type Check,
  type OpenAiFinding,
} from '../openai/value-checks.ts';
import { findInputFault } from './item-strictness.ts';

/** The first error that the vendor would report for this body. */
export const findResponsesFault = (body: JsonObject, vendor: string): ApiError | undefined =>
  checkModel(body) ??
  checkNames(body) ??
  checkValues(body) ??
  findInputFault(body.input, vendor) ??
  findFirst(listed(body.tools), checkTool) ??
  checkState(body) ??
  checkFeatures(body);

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const checkModel = ({ model }: JsonObject): OpenAiFinding =>
  typeof model === 'string' && model !== ''
    ? undefined
    : invalidRequest("Missing required parameter: 'model'.", 'model', 'missing_required_parameter');

const ofType =
  (type: 'boolean' | 'string', name: string): Check =>
  (param, value) =>
    typeof value === type ? undefined : wrongType(param, name, value);
const boolean = ofType('boolean', 'a boolean');
const text = ofType('string', 'a string');
const object: Check = (param, value) => (isObject(value) ? undefined : wrongType(param, 'an object', value));
const array: Check = (param, value) => (Array.isArray(value) ? undefined : wrongType(param, 'an array', value));
const anything: Check = () => undefined;

/** Every member, and its check. Null counts as absent. `client_metadata` and `access_programs` are those of Codex. */
const members: Readonly<Record<string, Check>> = {
  access_programs: anything,
  background: boolean,
  client_metadata: object,
  context_management: array,
  conversation: anything,
  include: array,
  input: anything,
  instructions: text,
  max_output_tokens: integerCheck(16, Number.MAX_SAFE_INTEGER),
  max_tool_calls: integerCheck(1, Number.MAX_SAFE_INTEGER),
  metadata: object,
  model: anything,
  moderation: object,
  parallel_tool_calls: boolean,
  previous_response_id: text,
  prompt: object,
  prompt_cache_key: text,
  prompt_cache_options: object,
  prompt_cache_retention: oneOfCheck(['in_memory', '24h']),
  reasoning: object,
  safety_identifier: text,
  service_tier: oneOfCheck(['auto', 'default', 'fast', 'flex', 'priority', 'scale', 'ultrafast']),
  store: boolean,
  stream: boolean,
  stream_options: object,
  temperature: numberCheck(0, 2),
  text: object,
  tool_choice: anything,
  tools: array,
  top_logprobs: integerCheck(0, 20),
  top_p: numberCheck(0, 1),
  truncation: oneOfCheck(['auto', 'disabled']),
  user: text,
};

function checkNames(body: JsonObject): OpenAiFinding {
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(members, name));
  return unknown === undefined ? undefined : unknownParameter(unknown);
}

const checkValues = (body: JsonObject): OpenAiFinding =>
  findFirst(Object.entries(members), ([name, check]) => {
    const value = body[name];
    return value === undefined || value === null ? undefined : check(name, value);
  });

const hosted =
  /^(web_search(_preview)?(_\d{4}_\d\d_\d\d)?|file_search|code_interpreter|image_generation|mcp|computer(_use_preview)?|local_shell|shell|apply_patch|tool_search|programmatic_tool_calling)$/;

function checkTool(tool: unknown, at: number): OpenAiFinding {
  const path = `tools[${at}]`;
  if (!isObject(tool)) return wrongType(path, 'an object', tool);
  const type = String(tool.type);
  if (hosted.test(type)) return undefined;
  if (!['function', 'custom', 'namespace'].includes(type))
    return invalidRequest(`Invalid value: '${type}'.`, `${path}.type`, 'invalid_value');
  if (typeof tool.name !== 'string')
    return invalidRequest(`Missing required parameter: '${path}.name'.`, `${path}.name`, 'missing_required_parameter');
  return acceptedName.test(tool.name) ? undefined : wrongName(`${path}.name`);
}

/** No response is ever stored here. */
function checkState({ previous_response_id: id, conversation }: JsonObject): OpenAiFinding {
  if (typeof id === 'string')
    return invalidRequest(
      `Previous response with id '${id}' not found.`,
      'previous_response_id',
      'previous_response_not_found',
    );
  return conversation === undefined || conversation === null
    ? undefined
    : { ...invalidRequest('Conversation not found.', 'conversation'), status: 404 };
}

/** What depends on the model, under this API's own names. Tools and reasoning are combined here. */
function checkFeatures(body: JsonObject): OpenAiFinding {
  const { effort } = isObject(body.reasoning) ? body.reasoning : {};
  const { verbosity } = isObject(body.text) ? body.text : {};
  const { model, service_tier, temperature, top_p, top_logprobs } = body;
  const finding = checkByModel({
    model,
    service_tier,
    temperature,
    top_p,
    top_logprobs,
    reasoning_effort: effort,
    verbosity,
  });
  const own: Readonly<Record<string, string>> = { reasoning_effort: 'reasoning.effort', verbosity: 'text.verbosity' };
  return finding && { ...finding, param: own[finding.param ?? ''] ?? finding.param };
}
