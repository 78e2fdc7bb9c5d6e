import { isBase64 } from '../base64.ts';
import { isObject, objectsOf, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { signThought } from '../thought-signature.ts';
import { bedrockInvalid, type BedrockFinding } from './errors.ts';

const kinds = [
  'text',
  'image',
  'document',
  'video',
  'toolUse',
  'toolResult',
  'reasoningContent',
  'cachePoint',
  'guardContent',
];

/** A block is an object with exactly one member, which names its kind. */
export function checkBlock(block: unknown, at: string): BedrockFinding {
  const [kind = '', ...others] = isObject(block) ? Object.keys(block) : [];
  if (!isObject(block) || !kinds.includes(kind) || others.length > 0)
    return bedrockInvalid(`${at}: exactly one of ${kinds.join(', ')} must be set.`);
  const value = block[kind];
  if (kind === 'text') return checkText(value, at);
  return isObject(value) ? checks[kind]?.(value, at) : bedrockInvalid(`${at}.${kind}: must be an object`);
}

function checkText(text: unknown, at: string): BedrockFinding {
  if (typeof text === 'string' && text.trim() !== '') return undefined;
  return bedrockInvalid(
    `The text field in the ContentBlock object at ${at} is blank. Add text to the text field, and try again.`,
  );
}

const checks: Readonly<Record<string, (value: JsonObject, at: string) => BedrockFinding>> = {
  image: checkImage,
  document: checkDocument,
  toolUse: checkToolUse,
  toolResult: checkToolResult,
  reasoningContent: checkReasoning,
};

function checkImage({ format, source }: JsonObject, at: string): BedrockFinding {
  if (!['png', 'jpeg', 'gif', 'webp'].includes(String(format)))
    return bedrockInvalid(
      `Value '${String(format)}' at '${at}.image.format' failed to satisfy constraint: Member must satisfy enum value set: [gif, jpeg, png, webp]`,
    );
  return checkSource(source, `${at}.image`);
}

function checkDocument({ name, source }: JsonObject, at: string): BedrockFinding {
  if (typeof name !== 'string' || !/^[a-zA-Z0-9 \-()[\]]+$/.test(name) || / {2}/.test(name))
    return bedrockInvalid(
      `${at}: The file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name can't contain more than one consecutive whitespace character.`,
    );
  return checkSource(source, `${at}.document`);
}

/** The vendor fetches sources only from S3. */
function checkSource(source: unknown, at: string): BedrockFinding {
  if (!isObject(source)) return bedrockInvalid(`${at}.source: must be defined`);
  if (isObject(source.s3Location) || typeof source.text === 'string') return undefined;
  return isBase64(source.bytes) ? undefined : bedrockInvalid(`${at}.source.bytes: must be base64`);
}

/** Its content and the model's ids are checked elsewhere. */
const isToolId = (id: unknown) => typeof id === 'string' && id !== '';

function checkToolUse({ toolUseId, name, input }: JsonObject, at: string): BedrockFinding {
  if (!isToolId(toolUseId)) return bedrockInvalid(`${at}.toolUse.toolUseId: must be defined`);
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    return bedrockInvalid(
      `Value '${String(name)}' at '${at}.toolUse.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`,
    );
  return isObject(input)
    ? undefined
    : bedrockInvalid(
        `The format of the value at ${at}.toolUse.input is invalid. Provide a json object for the field and try again.`,
      );
}

function checkToolResult({ toolUseId, content, status }: JsonObject, at: string): BedrockFinding {
  if (!isToolId(toolUseId)) return bedrockInvalid(`${at}.toolResult.toolUseId: must be defined`);
  if (!Array.isArray(content)) return bedrockInvalid(`${at}.toolResult.content: must be a list`);
  if (status !== undefined && status !== 'success' && status !== 'error')
    return bedrockInvalid(`${at}.toolResult.status: must be success or error`);
  return findFirst(objectsOf(content), (block, index) =>
    block.text === '' ? checkText('', `${at}.toolResult.content.${index}`) : undefined,
  );
}

/** Thinking has the simulator's signature and must be sent back unchanged. */
function checkReasoning({ reasoningText, redactedContent }: JsonObject, at: string): BedrockFinding {
  if (redactedContent !== undefined) return undefined;
  if (!isObject(reasoningText) || typeof reasoningText.text !== 'string')
    return bedrockInvalid(`${at}.reasoningContent.reasoningText: must be defined`);
  const { text, signature } = reasoningText;
  const genuine = signature === undefined || signature === signThought(text);
  return genuine ? undefined : bedrockInvalid(`${at}: Invalid signature in thinking block`);
}
