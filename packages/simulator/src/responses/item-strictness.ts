import { type ApiError, invalidRequest, isObject, type JsonObject, textOf } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { type OpenAiFinding, oneOfCheck, unknownParameter, wrongType } from '../openai/value-checks.ts';
import { unsealItem } from './sealed-item.ts';

/** The first error of the input: its kinds of items, their parts and ids, and reasoning that is not the vendor's. */
export function findInputFault(input: unknown, vendor: string): OpenAiFinding {
  if (typeof input === 'string') return undefined;
  if (input === undefined) return missing('input');
  if (!Array.isArray(input)) return wrongType('input', 'a string or an array of items', input);
  return findFirst(input, (item, at) => {
    const path = `input[${at}]`;
    if (!isObject(item)) return wrongType(path, 'an object', item);
    const type = item.type ?? ('role' in item ? 'message' : 'item_reference');
    if (type === 'compaction_trigger' && at < input.length - 1) return notLast(path);
    return (
      checkKind(type, path) ??
      checkId(item, type, path) ??
      checkCallId(item, path) ??
      checkItem(item, { type, path, vendor }) ??
      (type === 'reasoning' ? checkFollower(item, input[at + 1]) : undefined)
    );
  });
}

/** Reasoning belongs to the text or the call that it led to. */
function checkFollower({ id }: JsonObject, next: unknown): OpenAiFinding {
  const { type = 'message', role } = isObject(next) ? next : { role: 'user' };
  const isAnswer = type === 'message' ? role === 'assistant' : !String(type).endsWith('_output');
  if (isAnswer) return undefined;
  return invalidRequest(
    `Item '${textOf(id)}' of type 'reasoning' was provided without its required following item.`,
    'input',
  );
}

const missing = (path: string): ApiError =>
  invalidRequest(`Missing required parameter: '${path}'.`, path, 'missing_required_parameter');

const notLast = (path: string): ApiError =>
  invalidRequest(`Invalid '${path}': 'compaction_trigger' must be the last input item.`, path, 'invalid_value');

/** By kind, the beginnings of ids; an empty list: any. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  additional_tools: [],
  agent_message: [],
  apply_patch_call: [],
  apply_patch_call_output: [],
  code_interpreter_call: ['ci_'],
  compaction: ['cmp_'],
  compaction_trigger: [],
  computer_call: [],
  computer_call_output: [],
  configuration_update: [],
  context_compaction: [],
  custom_tool_call: ['ctc_'],
  custom_tool_call_output: [],
  file_search_call: ['fs_'],
  function_call: ['fc_'],
  function_call_output: [],
  image_generation_call: ['ig_'],
  item_reference: [],
  local_shell_call: [],
  local_shell_call_output: [],
  mcp_approval_request: ['mcp'],
  mcp_approval_response: [],
  mcp_call: ['mcp_'],
  mcp_list_tools: ['mcp'],
  message: ['msg_'],
  program: [],
  program_output: [],
  reasoning: ['rs_'],
  shell_call: [],
  shell_call_output: [],
  tool_search_call: [],
  tool_search_output: [],
  web_search_call: ['ws_'],
};

const checkKind = (type: unknown, path: string): OpenAiFinding => oneOfCheck(Object.keys(kinds))(`${path}.type`, type);

function checkId({ id }: JsonObject, type: unknown, path: string): OpenAiFinding {
  if (id === undefined || id === null) return undefined;
  if (type === 'compaction_trigger') return unknownParameter(`${path}.id`);
  const beginnings = kinds[String(type)] ?? [];
  if (beginnings.length > 0 && !/^[\w-]+$/.test(String(id)))
    return invalidRequest(
      `Invalid '${path}.id': '${String(id)}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`,
      `${path}.id`,
      'invalid_value',
    );
  if (beginnings.length > 0 && String(id).length > longestId) return tooLong(`${path}.id`, String(id));
  if (beginnings.length === 0 || beginnings.some((each) => String(id).startsWith(each))) return undefined;
  return invalidRequest(
    `Invalid '${path}.id': '${String(id)}'. Expected an ID that begins with '${beginnings[0]?.replace(/_$/, '')}'.`,
    `${path}.id`,
    'invalid_value',
  );
}

const longestId = 64;

const checkCallId = ({ call_id: id }: JsonObject, path: string): OpenAiFinding =>
  typeof id === 'string' && id.length > longestId ? tooLong(`${path}.call_id`, id) : undefined;

const tooLong = (path: string, id: string): ApiError =>
  invalidRequest(
    `Invalid '${path}': string too long. Expected a string with maximum length ${longestId}, but got a string with length ${id.length} instead.`,
    path,
    'string_above_max_length',
  );

interface PlacedItem {
  readonly type: unknown;
  readonly path: string;
  readonly vendor: string;
}

function checkItem(item: JsonObject, { type, path, vendor }: PlacedItem): OpenAiFinding {
  switch (type) {
    case 'message':
      return checkMessage(item, path);
    case 'reasoning':
      return checkReasoning(item, { path, vendor });
    case 'compaction':
      return requireTexts(item, ['encrypted_content'], path) ?? checkSeal(item, vendor);
    case 'item_reference':
      return unknownItem(item.id, path);
    case 'function_call':
    case 'custom_tool_call':
      return requireTexts(item, ['call_id', 'name', type === 'function_call' ? 'arguments' : 'input'], path);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return requireTexts(item, ['call_id'], path) ?? requireOutput(item, path);
    default:
      return undefined;
  }
}

const requireTexts = (item: JsonObject, names: readonly string[], path: string): OpenAiFinding =>
  findFirst(names, (name) => {
    if (item[name] === undefined) return missing(`${path}.${name}`);
    return typeof item[name] === 'string' ? undefined : wrongType(`${path}.${name}`, 'a string', item[name]);
  });

const requireOutput = ({ output }: JsonObject, path: string): OpenAiFinding =>
  output === undefined ? missing(`${path}.output`) : undefined;

const inputParts = ['input_text', 'input_image', 'input_file', 'input_audio'];

function checkMessage({ role, content }: JsonObject, path: string): OpenAiFinding {
  const wrongRole = oneOfCheck(['user', 'assistant', 'system', 'developer'])(`${path}.role`, role);
  if (wrongRole !== undefined || typeof content === 'string') return wrongRole;
  if (!Array.isArray(content)) return wrongType(`${path}.content`, 'a string or an array of parts', content);
  const known = role === 'assistant' ? ['output_text', 'refusal'] : inputParts;
  return findFirst(content, (part, at) =>
    oneOfCheck(known)(`${path}.content[${at}].type`, isObject(part) ? part.type : undefined),
  );
}

/** Nothing is stored for these requests, so reasoning must be in them, sealed. */
function checkReasoning(item: JsonObject, { path, vendor }: Omit<PlacedItem, 'type'>): OpenAiFinding {
  if (!Array.isArray(item.summary)) return missing(`${path}.summary`);
  const { id, encrypted_content: sealed } = item;
  if (typeof sealed === 'string') return checkSeal(item, vendor);
  return typeof id === 'string' ? unknownItem(id, path) : undefined;
}

/** By the same vendor, for the same id. */
function checkSeal({ id, encrypted_content: sealed }: JsonObject, vendor: string): OpenAiFinding {
  const seal = unsealItem(String(sealed));
  const refused = (why: string) =>
    invalidRequest(
      `The encrypted content ${textOf(id)} could not be verified. Reason: ${why}`,
      null,
      'invalid_encrypted_content',
    );
  if (seal === undefined) return refused('Encrypted content could not be decrypted or parsed.');
  if (seal.vendor !== vendor)
    return refused('Encrypted content organization_id did not match the target organization.');
  if (typeof id === 'string' && id !== seal.id)
    return refused('Encrypted content item_id did not match the target item id.');
  return undefined;
}

const unknownItem = (id: unknown, path: string): ApiError => ({
  ...invalidRequest(
    `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    path.includes('[') ? 'input' : path,
  ),
  status: 404,
});
