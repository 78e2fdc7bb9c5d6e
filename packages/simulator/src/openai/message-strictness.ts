import { findFirst } from '../finding.ts';
import { isObject, type JsonObject, invalidRequest } from '@tallyport/sandbox';
import { oneOfCheck, wrongType, type OpenAiFinding } from './value-checks.ts';

export function checkOpenAiMessages(messages: unknown): OpenAiFinding {
  if (messages === undefined)
    return invalidRequest("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter');
  if (!Array.isArray(messages)) return wrongType('messages', 'an array of objects', messages);
  if (messages.length === 0)
    return invalidRequest(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'messages',
      'empty_array',
    );
  return (
    findFirst(messages, (message, index) => checkMessage(message, `messages[${index}]`)) ??
    checkToolTurns(messages.filter(isObject))
  );
}

const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer'] as const;

function checkMessage(message: unknown, param: string): OpenAiFinding {
  if (!isObject(message)) return wrongType(param, 'an object', message);
  return oneOfCheck(roles)(`${param}.role`, message.role) ?? checkContent(message, `${param}.content`);
}

function checkContent(message: JsonObject, param: string): OpenAiFinding {
  const { content, role } = message;
  if (typeof content === 'string') return undefined;
  if (content === undefined || content === null) {
    const mayBeEmpty = role === 'assistant' && (message.tool_calls ?? message.refusal ?? message.audio);
    return mayBeEmpty || role === 'function'
      ? undefined
      : wrongType(param, 'one of a string or array of objects', null);
  }
  if (!Array.isArray(content)) return wrongType(param, 'one of a string or array of objects', content);
  return findFirst(content, (part, index) => checkPart(part, `${param}[${index}]`));
}

/** The required member of each kind of part. */
const partMembers: Readonly<Record<string, string>> = {
  text: 'text',
  image_url: 'image_url',
  input_audio: 'input_audio',
  file: 'file',
  refusal: 'refusal',
};

function checkPart(part: unknown, param: string): OpenAiFinding {
  if (!isObject(part)) return wrongType(param, 'an object', part);
  const unknown = oneOfCheck(Object.keys(partMembers))(`${param}.type`, part.type);
  if (unknown) return unknown;
  const member = `${param}.${partMembers[String(part.type)]}`;
  if (part[partMembers[String(part.type)] ?? ''] === undefined)
    return invalidRequest(`Missing required parameter: '${member}'.`, member, 'missing_required_parameter');
  return checkFile(part, member);
}

/** Chats fetch no files; only the Responses API does. */
function checkFile({ file }: JsonObject, param: string): OpenAiFinding {
  const data = isObject(file) ? (file.file_data ?? undefined) : undefined;
  if (data === undefined || String(data).startsWith('data:')) return undefined;
  const path = `${param}.file_data`;
  return invalidRequest(
    `Invalid file data: '${path}'. Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,SGVsbG8sIFdvcmxkIQ=='), but got an invalid base64-encoded value.`,
    path,
    'invalid_value',
  );
}

/** Tool messages must directly follow the calls they answer. */
function checkToolTurns(messages: readonly JsonObject[]): OpenAiFinding {
  let expected = new Set<unknown>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!expected.delete(message.tool_call_id)) return orphan(index);
      continue;
    }
    if (expected.size > 0) return unanswered(expected);
    expected = idsOf(message.tool_calls);
  }
  return expected.size > 0 ? unanswered(expected) : undefined;
}

const idsOf = (calls: unknown) => new Set(Array.isArray(calls) ? calls.filter(isObject).map((call) => call.id) : []);

const orphan = (index: number) =>
  invalidRequest(
    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
    `messages.[${index}].role`,
  );

const unanswered = (ids: ReadonlySet<unknown>) =>
  invalidRequest(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...ids].join(', ')}`,
    'messages',
  );
