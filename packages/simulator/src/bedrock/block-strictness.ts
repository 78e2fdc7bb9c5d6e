import { isObject, objectsOf, type JsonObject } from '@switchyard/sandbox';
import { findFirst } from '../finding.ts';
import { signatureOf } from '../thought-signature.ts';
import { invalid, type Finding } from './errors.ts';

const kinds = [
  ...['text', 'image', 'document', 'video', 'toolUse', 'toolResult', 'reasoningContent', 'cachePoint', 'guardContent'],
];

/** A block is an object with exactly one member, which names its kind. */
export function checkBlock(block: unknown, at: string): Finding {
  const [kind = '', ...others] = isObject(block) ? Object.keys(block) : [];
  if (!isObject(block) || !kinds.includes(kind) || others.length > 0)
    return invalid(`${at}: exactly one of ${kinds.join(', ')} must be set.`);
  const value = block[kind];
  if (kind === 'text') return checkText(value, at);
  return isObject(value) ? checks[kind]?.(value, at) : invalid(`${at}.${kind}: must be an object`);
}

function checkText(text: unknown, at: string): Finding {
  if (typeof text === 'string' && text.trim() !== '') return undefined;
  return invalid(
    `The text field in the ContentBlock object at ${at} is blank. Add text to the text field, and try again.`,
  );
}

const checks: Readonly<Record<string, (value: JsonObject, at: string) => Finding>> = {
  image: checkImage,
  document: checkDocument,
  toolUse: checkToolUse,
  toolResult: checkToolResult,
  reasoningContent: checkReasoning,
};

function checkImage({ format, source }: JsonObject, at: string): Finding {
  if (!['png', 'jpeg', 'gif', 'webp'].includes(String(format)))
    return invalid(
      `Value '${String(format)}' at '${at}.image.format' failed to satisfy constraint: Member must satisfy enum value set: [gif, jpeg, png, webp]`,
    );
  return checkSource(source, `${at}.image`);
}

function checkDocument({ name, source }: JsonObject, at: string): Finding {
  if (typeof name !== 'string' || !/^[a-zA-Z0-9 \-()[\]]+$/.test(name) || / {2}/.test(name))
    return invalid(
      `${at}: The file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name can't contain more than one consecutive whitespace character.`,
    );
  return checkSource(source, `${at}.document`);
}

/** Nothing is fetched here but from S3. */
function checkSource(source: unknown, at: string): Finding {
  if (!isObject(source)) return invalid(`${at}.source: must be defined`);
  if (isObject(source.s3Location) || typeof source.text === 'string') return undefined;
  const isBase64 = typeof source.bytes === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(source.bytes);
  return isBase64 ? undefined : invalid(`${at}.source.bytes: must be base64`);
}

/** Some families print `functions.x:0`, and take it back. */
const isToolId = (id: unknown) => typeof id === 'string' && /^[a-zA-Z0-9_.:-]{1,64}$/.test(id);

function checkToolUse({ toolUseId, name, input }: JsonObject, at: string): Finding {
  if (!isToolId(toolUseId))
    return invalid(
      `Value '${String(toolUseId)}' at '${at}.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`,
    );
  if (typeof name !== 'string' || name === '') return invalid(`${at}.toolUse.name: must be defined`);
  return isObject(input)
    ? undefined
    : invalid(
        `The format of the value at ${at}.toolUse.input is invalid. Provide a json object for the field and try again.`,
      );
}

function checkToolResult({ toolUseId, content, status }: JsonObject, at: string): Finding {
  if (!isToolId(toolUseId)) return invalid(`${at}.toolResult.toolUseId: must be defined`);
  if (!Array.isArray(content)) return invalid(`${at}.toolResult.content: must be a list`);
  if (status !== undefined && status !== 'success' && status !== 'error')
    return invalid(`${at}.toolResult.status: must be success or error`);
  return findFirst(objectsOf(content), (block, index) =>
    block.text === '' ? checkText('', `${at}.toolResult.content.${index}`) : undefined,
  );
}

/** Our own thoughts are signed, and must come back as they were. */
function checkReasoning({ reasoningText, redactedContent }: JsonObject, at: string): Finding {
  if (redactedContent !== undefined) return undefined;
  if (!isObject(reasoningText) || typeof reasoningText.text !== 'string')
    return invalid(`${at}.reasoningContent.reasoningText: must be defined`);
  const { text, signature } = reasoningText;
  const genuine = signature === undefined || signature === signatureOf(text);
  return genuine ? undefined : invalid(`${at}: Invalid signature in thinking block`);
}
