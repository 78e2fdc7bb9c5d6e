import { isBase64 } from '../base64.ts';
import { isObject, objectsOf, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { signThought } from '../thought-signature.ts';
import { anthropicInvalid, type AnthropicFinding } from './errors.ts';
import type { AnthropicRules } from './models.ts';

export function checkAnthropicMessages({ messages }: JsonObject, { systemTurns }: AnthropicRules): AnthropicFinding {
  if (!Array.isArray(messages)) return anthropicInvalid('messages: Input should be a valid list');
  if (messages.length === 0) return anthropicInvalid('messages: at least one message is required');
  const wrong = findFirst(messages, (message: unknown, index) =>
    isObject(message)
      ? checkMessage(message, {
          index,
          last: index === messages.length - 1,
          systemTurn: systemTurns && messages[index - 1]?.role === 'user',
        })
      : anthropicInvalid(`messages.${index}: Input should be a valid dictionary`),
  );
  if (wrong) return wrong;
  if (messages[0].role !== 'user') return anthropicInvalid('messages: first message must use the "user" role');
  return findFirst(messages, (_, index) => checkToolTurn(messages, index));
}

interface MessagePlace {
  index: number;
  last: boolean;
  /** Whether the model takes instructions here, in the middle of the conversation. */
  systemTurn: boolean;
}

function checkMessage(message: JsonObject, { index, last, systemTurn }: MessagePlace): AnthropicFinding {
  const { role, content } = message;
  const wrong = checkRole(role, { index, systemTurn });
  if (wrong !== undefined) return wrong;
  const unknown = Object.keys(message).find((name) => name !== 'role' && name !== 'content');
  if (unknown !== undefined) return anthropicInvalid(`messages.${index}.${unknown}: Extra inputs are not permitted`);
  if (isEmpty(content) && !(last && role === 'assistant'))
    return anthropicInvalid(
      `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
    );
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content)) return anthropicInvalid(`messages.${index}.content: Input should be a valid list`);
  return findFirst(content, (block: unknown, place) =>
    checkBlock(block, `messages.${index}.content.${place}`, String(role)),
  );
}

function checkRole(role: unknown, { index, systemTurn }: Omit<MessagePlace, 'last'>): AnthropicFinding {
  if (role === 'user' || role === 'assistant' || (role === 'system' && systemTurn)) return undefined;
  return role === 'system' || role === 'developer' || role === 'tool'
    ? anthropicInvalid(
        `messages: Unexpected role "${role}". The Messages API accepts a top-level \`system\` parameter, not "system" as an input message role.`,
      )
    : anthropicInvalid(`messages.${index}.role: Input should be 'user' or 'assistant'`);
}

const isEmpty = (content: unknown) => content === '' || (Array.isArray(content) && content.length === 0);

const blocksOf: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'document', 'tool_result', 'search_result'],
  assistant: ['text', 'tool_use', 'thinking', 'redacted_thinking', 'compaction'],
  system: ['text'],
};

function checkBlock(block: unknown, path: string, role: string): AnthropicFinding {
  const type = isObject(block) ? String(block.type) : '';
  if (!isObject(block) || !(blocksOf[role] ?? []).includes(type))
    return anthropicInvalid(`${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`);
  return checks[type]?.(block, path);
}

const checks: Readonly<Record<string, (block: JsonObject, path: string) => AnthropicFinding>> = {
  text: checkText,
  image: checkImage,
  tool_use: checkToolUse,
  tool_result: checkToolResult,
  thinking: checkThinkingBlock,
  redacted_thinking: checkRedacted,
};

function checkText({ text }: JsonObject, path: string): AnthropicFinding {
  if (typeof text !== 'string') return anthropicInvalid(`${path}.text.text: Field required`);
  if (text === '') return anthropicInvalid('messages: text content blocks must be non-empty');
  return text.trim() === ''
    ? anthropicInvalid('messages: text content blocks must contain non-whitespace text')
    : undefined;
}

const mediaTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

function checkImage({ source }: JsonObject, path: string): AnthropicFinding {
  const at = `${path}.image.source`;
  if (!isObject(source)) return anthropicInvalid(`${at}: Field required`);
  if (source.type === 'url')
    return typeof source.url === 'string' ? undefined : anthropicInvalid(`${at}.url.url: Field required`);
  if (source.type === 'file') return undefined;
  if (source.type !== 'base64') return anthropicInvalid(`${at}: Input tag '${String(source.type)}' does not match`);
  if (!mediaTypes.includes(String(source.media_type)))
    return anthropicInvalid(
      `${at}.base64.media_type: Input should be ${mediaTypes.map((type) => `'${type}'`).join(', ')}`,
    );
  return isBase64(source.data) ? undefined : anthropicInvalid(`${at}.base64.data: Input should be valid base64`);
}

const isToolId = (id: unknown) => typeof id === 'string' && /^[a-zA-Z0-9_-]+$/.test(id);

function checkToolUse({ id, name, input }: JsonObject, path: string): AnthropicFinding {
  if (!isToolId(id)) return anthropicInvalid(`${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  if (typeof name !== 'string' || name === '') return anthropicInvalid(`${path}.tool_use.name: Field required`);
  return isObject(input) ? undefined : anthropicInvalid(`${path}.tool_use.input: Input should be a valid dictionary`);
}

function checkToolResult({ tool_use_id: id, content }: JsonObject, path: string): AnthropicFinding {
  if (!isToolId(id))
    return anthropicInvalid(`${path}.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  return findFirst(objectsOf(content), (block, index) =>
    block.cache_control === undefined
      ? checkBlock(block, `${path}.content.${index}`, 'user')
      : anthropicInvalid(
          `${path}.tool_result.content.${index}.cache_control: cache_control may not be specified within \`tool_result.content\`. Instead, place it directly on \`tool_result\``,
        ),
  );
}

/** Thinking has the simulator's signature and must be sent back unchanged. */
function checkThinkingBlock({ thinking, signature }: JsonObject, path: string): AnthropicFinding {
  if (typeof signature !== 'string') return anthropicInvalid(`${path}.thinking.signature: Field required`);
  const genuine = signature === signThought(String(thinking));
  return genuine ? undefined : anthropicInvalid(`${path}: Invalid \`signature\` in \`thinking\` block`);
}

/** The simulator encrypts no thinking, so all that is sent back as such belongs to another vendor. */
function checkRedacted(_block: JsonObject, path: string): AnthropicFinding {
  return anthropicInvalid(`${path}: Invalid \`data\` in \`redacted_thinking\` block`);
}

/** All results of a turn's calls must be first in the next message, and nowhere else. */
function checkToolTurn(messages: readonly JsonObject[], index: number): AnthropicFinding {
  const message = messages[index] ?? {};
  const blocks = objectsOf(message.content);
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id));
  const next = messages[index + 1];
  const answered = next === undefined ? [] : leadingResults(next);
  const missing = calls.filter((id) => !answered.includes(id));
  if (missing.length > 0)
    return anthropicInvalid(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  const previous = objectsOf(messages[index - 1]?.content).filter(({ type }) => type === 'tool_use');
  return findFirst(blocks, ({ type, tool_use_id: id }, place) =>
    type === 'tool_result' && !previous.some((call) => call.id === id) ? orphan({ index, place, id }) : undefined,
  );
}

const orphan = ({ index, place, id }: { index: number; place: number; id: unknown }) =>
  anthropicInvalid(
    `messages.${index}.content.${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
  );

function leadingResults({ content }: JsonObject): string[] {
  const blocks = objectsOf(content);
  const end = blocks.findIndex(({ type }) => type !== 'tool_result');
  return blocks.slice(0, end < 0 ? blocks.length : end).map((block) => String(block.tool_use_id));
}
