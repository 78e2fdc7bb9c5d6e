import { redactArguments } from './arguments.ts';
import { type FileText, fileTextIn } from './file-text.ts';
import type { TextGuard } from './texts.ts';

/**
 * Members that are no texts of people: names, ids, formats, and files as base64 or by URL, unless a text is in
 * them. Everything else is inspected, so that a member of next month is.
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

/** What tools get and return, and values in schemas. Its members are named by tools, so all of them are inspected. */
const free: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'const',
  'default',
  'enum',
  'example',
  'examples',
  'response',
]);

/** In schemas: their members are named by tools, and are schemas. */
const named: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Whose `name` is not that of a tool. */
const speakers: ReadonlySet<unknown> = new Set(['assistant', 'developer', 'system', 'user']);

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
    if (structural.has(name) && !isText(parent, name)) return redactFile(member, fileTextIn(parent, name), guard);
    return name === 'arguments' ? redactArguments(member, guard) : guard.text(member);
  }
  const isFree = free.has(name) || (name === 'input' && !Array.isArray(member));
  if (isFree && isObject(member)) return redactFree(member, guard);
  return named.has(name) && isObject(member) ? redactNamed(member, guard) : redactValue(member, guard);
}

/** Whether a member that is no text elsewhere is one here. */
function isText({ type, role }: Members, name: string): boolean {
  if (name === 'name') return speakers.has(role);
  // Documents of Anthropic's API may be plain text. A format beside a type is that of a schema.
  return name === 'data' ? type === 'text' : name === 'format' && type !== undefined;
}

function redactFile(member: string, file: FileText | undefined, guard: TextGuard): string {
  if (file === undefined) return member;
  const redacted = guard.text(file.text);
  return redacted === file.text ? member : file.write(redacted);
}

const redactNamed = (schemas: Members, guard: TextGuard): unknown =>
  Array.isArray(schemas)
    ? redactValue(schemas, guard)
    : Object.fromEntries(Object.keys(schemas).map((name) => [guard.text(name), redactMember(schemas, name, guard)]));

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
