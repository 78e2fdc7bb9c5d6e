import { findFirst } from '../finding.ts';
import { isObject, type JsonObject, invalidRequest, type ApiError, textOf } from '@tallyport/sandbox';
import { checkOpenAiCalls } from './call-strictness.ts';
import { checkOpenAiMessages } from './message-strictness.ts';
import { checkOpenAiTools } from './tool-strictness.ts';
import {
  integerCheck,
  numberCheck,
  oneOfCheck,
  unknownParameter,
  wrongType,
  type Check,
  type OpenAiFinding,
} from './value-checks.ts';

interface Strictness {
  readonly refusesUnknownParameters: boolean;
}

/** The first error that OpenAI would report for this body, in the order of its checks. */
export function findOpenAiFault(body: JsonObject, { refusesUnknownParameters }: Strictness): ApiError | undefined {
  return (
    checkModel(body) ??
    checkOpenAiMessages(body.messages) ??
    checkOpenAiCalls(body.messages, { limitsIds: refusesUnknownParameters }) ??
    (refusesUnknownParameters ? checkNames(body) : undefined) ??
    checkValues(body) ??
    checkStreamOptions(body) ??
    checkOpenAiTools(body) ??
    checkStop(body.stop) ??
    checkFormat(body)
  );
}

function checkModel({ model }: JsonObject): OpenAiFinding {
  if (model === undefined || model === '') return invalidRequest('you must provide a model parameter', null);
  if (typeof model !== 'string') return wrongType('model', 'a string', model);
  return undefined;
}

const boolean: Check = (param, value) =>
  typeof value === 'boolean' ? undefined : wrongType(param, 'a boolean', value);
const text: Check = (param, value) => (typeof value === 'string' ? undefined : wrongType(param, 'a string', value));
const object: Check = (param, value) => (isObject(value) ? undefined : wrongType(param, 'an object', value));
const array: Check = (param, value) => (Array.isArray(value) ? undefined : wrongType(param, 'an array', value));
const anything: Check = () => undefined;

/** Every member OpenAI supports, and its check. Null counts as absent. */
const members: Readonly<Record<string, Check>> = {
  audio: object,
  frequency_penalty: numberCheck(-2, 2),
  function_call: anything,
  functions: array,
  logit_bias: object,
  logprobs: boolean,
  max_completion_tokens: integerCheck(1, Number.MAX_SAFE_INTEGER),
  max_tokens: integerCheck(1, Number.MAX_SAFE_INTEGER),
  messages: anything,
  metadata: object,
  modalities: array,
  model: anything,
  moderation: object,
  n: integerCheck(1, 128),
  parallel_tool_calls: boolean,
  prediction: object,
  presence_penalty: numberCheck(-2, 2),
  prompt_cache_key: text,
  prompt_cache_options: object,
  prompt_cache_retention: text,
  reasoning_effort: oneOfCheck(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']),
  response_format: object,
  safety_identifier: text,
  seed: integerCheck(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  service_tier: oneOfCheck(['auto', 'default', 'flex', 'scale', 'priority', 'fast']),
  stop: anything,
  store: boolean,
  stream: boolean,
  stream_options: object,
  temperature: numberCheck(0, 2),
  tool_choice: anything,
  tools: array,
  top_logprobs: integerCheck(0, 20),
  top_p: numberCheck(0, 1),
  user: text,
  verbosity: oneOfCheck(['low', 'medium', 'high']),
  web_search_options: object,
};

function checkNames(body: JsonObject): OpenAiFinding {
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(members, name));
  if (unknown === undefined) return undefined;
  return unknownParameter(unknown);
}

function checkValues(body: JsonObject): OpenAiFinding {
  return findFirst(Object.entries(members), ([name, check]) => {
    const value = body[name];
    return value === undefined || value === null ? undefined : check(name, value);
  });
}

function checkStreamOptions(body: JsonObject): OpenAiFinding {
  if (isObject(body.stream_options) && body.stream !== true)
    return invalidRequest("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  if (typeof body.top_logprobs === 'number' && body.logprobs !== true)
    return invalidRequest("The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.", 'top_logprobs');
  return undefined;
}

function checkStop(stop: unknown): OpenAiFinding {
  if (stop === undefined || stop === null || typeof stop === 'string') return undefined;
  if (!Array.isArray(stop)) return wrongType('stop', 'a string or an array of strings', stop);
  if (stop.length > 4)
    return invalidRequest(
      `Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length ${stop.length} instead.`,
      'stop',
      'array_above_max_length',
    );
  const wrong = stop.findIndex((word) => typeof word !== 'string');
  return wrong < 0 ? undefined : wrongType(`stop[${wrong}]`, 'a string', stop[wrong]);
}

function checkFormat({ response_format: format, messages }: JsonObject): OpenAiFinding {
  if (!isObject(format)) return undefined;
  if (format.type === 'json_schema') return checkSchema(format.json_schema);
  if (format.type !== 'json_object')
    return oneOfCheck(['text', 'json_object', 'json_schema'])('response_format.type', format.type);
  const said = Array.isArray(messages) ? messages.filter(isObject).map((message) => textOf(message.content)) : [];
  if (said.some((words) => /json/i.test(words))) return undefined;
  return invalidRequest(
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    'messages',
  );
}

function checkSchema(declared: unknown): OpenAiFinding {
  const missing = (path: string) =>
    invalidRequest(`Missing required parameter: '${path}'.`, path, 'missing_required_parameter');
  if (!isObject(declared)) return missing('response_format.json_schema');
  return declared.name === undefined ? missing('response_format.json_schema.name') : undefined;
}
