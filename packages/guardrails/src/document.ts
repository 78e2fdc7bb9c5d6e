import { redactArguments } from './arguments.ts';
import type { TextGuard } from './texts.ts';

/**
 * Members that are no texts of people: names, ids, formats, and files as base64 or by URL. Everything else is inspected,
 * so that a member of next month is.
 */
const structural: ReadonlySet<string> = new Set([
  'b64_json',
  'call_id',
  'data',
  'detail',
  'encrypted_content',
  'file_data',
  'file_id',
  'fileUri',
  'file_url',
  'finish_reason',
  'format',
  'id',
  'image_url',
  'item_id',
  'media_type',
  'mimeType',
  'mime_type',
  'model',
  'name',
  'object',
  'previous_response_id',
  'provider',
  'role',
  'signature',
  'size',
  'status',
  'thoughtSignature',
  'thought_signature',
  'tool_call_id',
  'tool_use_id',
  'type',
  'url',
]);

/** What tools get and return. Its members are named by tools, so all of them are inspected. */
const free: ReadonlySet<string> = new Set(['args', 'arguments', 'response']);

/**
 * Redacts all texts of a JSON document in the format of any API: messages, system texts, arguments and results of tools.
 * The document itself is not changed. Throws `guardrail_blocked`.
 */
export const redactDocument = (document: unknown, guard: TextGuard): unknown => redactValue(document, guard);

function redactValue(value: unknown, guard: TextGuard): unknown {
  if (typeof value === 'string') return guard.text(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, guard));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).map((name) => [name, redactMember(value, name, guard)]));
}

function redactMember(parent: Members, name: string, guard: TextGuard): unknown {
  const member = parent[name];
  if (typeof member === 'string') {
    if (structural.has(name) && !isPlainText(parent, name)) return member;
    return name === 'arguments' ? redactArguments(member, guard) : guard.text(member);
  }
  const isFree = free.has(name) || (name === 'input' && !Array.isArray(member));
  return isFree && isObject(member) ? redactFree(member, guard) : redactValue(member, guard);
}

/** Documents of Anthropic's API may be plain text. */
const isPlainText = ({ type }: Members, name: string): boolean => name === 'data' && type === 'text';

function redactFree(value: unknown, guard: TextGuard): unknown {
  if (typeof value === 'string') return guard.text(value);
  if (typeof value === 'number') return redactNumber(value, guard);
  if (Array.isArray(value)) return value.map((item) => redactFree(item, guard));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [guard.text(name), redactFree(member, guard)]),
  );
}

/** A number of a card need not be in quotes. */
function redactNumber(value: number, guard: TextGuard): unknown {
  const text = String(value);
  const redacted = guard.text(text);
  return redacted === text ? value : redacted;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
