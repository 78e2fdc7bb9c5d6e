import { isAnyBase64 } from '../base64.ts';
import { isObject, objectsOf, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { googleInvalid } from './errors.ts';
import { unknownOf, type GoogleFinding } from './unknown.ts';

export function checkContents(contents: unknown): GoogleFinding {
  if (!Array.isArray(contents) || contents.length === 0)
    return googleInvalid('* GenerateContentRequest.contents: contents is not specified');
  const wrong = findFirst(contents, (content: unknown, index) => checkContent(content, index));
  return wrong ?? findFirst(contents, (_, index) => checkTurn(contents, index));
}

function checkContent(content: unknown, index: number): GoogleFinding {
  const at = `contents[${index}]`;
  if (!isObject(content)) return googleInvalid(`Invalid value at '${at}'`);
  const { role, parts } = content;
  if (role !== undefined && role !== 'user' && role !== 'model')
    return googleInvalid('Please use a valid role: user, model.');
  if (!Array.isArray(parts) || parts.length === 0)
    return googleInvalid(`* GenerateContentRequest.${at}.parts: contents.parts must not be empty.`);
  return (
    unknownOf(content, ['role', 'parts'], at) ??
    findFirst(parts, (part: unknown, place) => checkPart(part, `${at}.parts[${place}]`))
  );
}

const dataMembers = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
];

function checkPart(part: unknown, at: string): GoogleFinding {
  if (!isObject(part)) return googleInvalid(`Invalid value at '${at}'`);
  const unknown = unknownOf(
    part,
    [...dataMembers, 'thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution'],
    at,
  );
  if (unknown) return unknown;
  const given = dataMembers.filter((name) => part[name] !== undefined);
  if (given.length === 0)
    return googleInvalid(
      `* GenerateContentRequest.${at}.data: required oneof field 'data' must have one initialized field`,
    );
  if (given.length > 1) return googleInvalid(`${at}.data: oneof field 'data' is already set. Cannot set '${given[1]}'`);
  return checkData(part, at);
}

function checkData(
  { inlineData, functionCall: call, functionResponse: result, fileData }: JsonObject,
  at: string,
): GoogleFinding {
  if (isObject(inlineData)) return checkInline(inlineData, at);
  if (isObject(fileData)) return checkFile(fileData);
  if (!isAcceptedName(call) || !isAcceptedName(result))
    return googleInvalid(
      `GenerateContentRequest.${at}: Invalid function name. Must start with a letter or an underscore.`,
    );
  if (isObject(call) && call.args !== undefined && !isObject(call.args))
    return googleInvalid(`Invalid value at '${at}.function_call.args' (type.googleapis.com/google.protobuf.Struct)`);
  return isObject(result) && !isObject(result.response)
    ? googleInvalid(`Invalid value at '${at}.function_response.response' (type.googleapis.com/google.protobuf.Struct)`)
    : undefined;
}

const isAcceptedName = (called: unknown): boolean =>
  !isObject(called) || /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(String(called.name));

/** The vendor fetches only uploaded files and YouTube videos. */
function checkFile({ fileUri }: JsonObject): GoogleFinding {
  const uri = String(fileUri);
  const fetched = !/^https?:/.test(uri) || /^https:\/\/((www\.)?youtube\.com|youtu\.be|generativelanguage\.)/.test(uri);
  return fetched ? undefined : googleInvalid(`Cannot fetch content from the provided URL: ${uri}`);
}

function checkInline({ mimeType, data }: JsonObject, at: string): GoogleFinding {
  if (typeof mimeType !== 'string' || !/^[\w.+-]+\/[\w.+-]+$/.test(mimeType))
    return googleInvalid(`Unsupported MIME type: ${String(mimeType)}`);
  return isAnyBase64(data)
    ? undefined
    : googleInvalid(`Invalid value at '${at}.inline_data.data' (TYPE_BYTES), Base64 decoding failed`);
}

/** The next turn must have as many responses as this one has calls. */
function checkTurn(contents: readonly JsonObject[], index: number): GoogleFinding {
  const calls = partsOf(contents[index], 'functionCall').length;
  const answers = partsOf(contents[index + 1], 'functionResponse').length;
  if (index === 0 && calls > 0) return callOrder;
  if (calls > 0 && index + 1 < contents.length && calls !== answers)
    return googleInvalid(
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    );
  const orphaned = calls === 0 && answers > 0;
  const opening = index === 0 && partsOf(contents[0], 'functionResponse').length > 0;
  return orphaned || opening ? responseOrder : undefined;
}

const callOrder = googleInvalid(
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
);
const responseOrder = googleInvalid(
  'Please ensure that function response turn comes immediately after a function call turn.',
);

export const partsOf = (content: JsonObject | undefined, member: string): JsonObject[] =>
  objectsOf(content?.parts).filter((part) => part[member] !== undefined);
