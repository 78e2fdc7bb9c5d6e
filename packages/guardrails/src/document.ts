import { type ExactNumber, isExactNumber } from '@tallyport/wire';
import { redactArguments } from './arguments.ts';
import { type FileText, fileTextIn } from './file-text.ts';
import { freeMembers, freeObjects, isTextHere, mapMembers, schemaMembers, uninspectedMembers } from './members.ts';
import type { TextGuard } from './texts.ts';

/**
 * Redacts all texts of a JSON document in the format of any API: messages, system texts, arguments and results of tools.
 * The document itself is not changed. Throws `guardrail_blocked`.
 */
export const redactDocument = (document: unknown, guard: TextGuard): unknown =>
  redactValue(document, { guard, isSchema: false });

interface Walk {
  guard: TextGuard;
  isSchema: boolean;
}

function redactValue(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') return walk.guard.text(value);
  if (Array.isArray(value)) return redactList(value, walk);
  return isObject(value) ? redactObject(value, walk) : value;
}

/** Models read the texts of a list, such as the parts of a message, as one. */
function redactList(items: readonly unknown[], walk: Walk): unknown[] {
  const texts = items.flatMap((item) => (hasText(item) ? [item.text] : []));
  if (texts.length < 2) return items.map((item) => redactValue(item, walk));
  const redacted = walk.guard.parts(texts).values();
  return items.map((item) =>
    hasText(item) ? redactObject(item, walk, redacted.next().value) : redactValue(item, walk),
  );
}

/** `text` is that of the member with this name, if it was redacted already. */
const redactObject = (value: Members, walk: Walk, text?: string): unknown =>
  Object.fromEntries(
    Object.keys(value).map((name) => [
      name,
      name === 'text' && text !== undefined ? text : redactMember(value, name, walk),
    ]),
  );

function redactMember(parent: Members, name: string, walk: Walk): unknown {
  const member = parent[name];
  if (typeof member === 'string') return redactString(parent, name, walk);
  if (freeMembers.has(name)) return redactFree(member, walk.guard);
  if (!isObject(member)) return member;
  if (freeObjects.has(name) && !Array.isArray(member)) return redactFree(member, walk.guard);
  const inner = schemaMembers.has(name) ? { ...walk, isSchema: true } : walk;
  return mapMembers.has(name) && !Array.isArray(member) ? redactMap(member, inner) : redactValue(member, inner);
}

function redactString(parent: Members, name: string, { guard, isSchema }: Walk): string {
  const text = String(parent[name]);
  if (isSchema) return name === 'type' ? text : guard.text(text);
  if (name === 'arguments') return redactArguments(text, guard);
  if (!uninspectedMembers.has(name) || isTextHere(parent, name)) return guard.text(text);
  return redactFile(text, fileTextIn(parent, name), guard);
}

function redactFile(member: string, file: FileText | undefined, guard: TextGuard): string {
  if (file === undefined) return member;
  const redacted = guard.text(file.text);
  return redacted === file.text ? member : file.write(redacted);
}

function redactMap(map: Members, walk: Walk): unknown {
  const { guard } = walk;
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [
      guard.text(name),
      typeof value === 'string' ? guard.text(value) : redactMember(map, name, walk),
    ]),
  );
}

function redactFree(value: unknown, guard: TextGuard): unknown {
  if (typeof value === 'string') return guard.text(value);
  if (typeof value === 'number' || isExactNumber(value)) return redactNumber(value, guard);
  if (Array.isArray(value)) return value.map((item) => redactFree(item, guard));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [guard.text(name), redactFree(member, guard)]),
  );
}

/** A number of a card need not be in quotes. */
function redactNumber(value: number | ExactNumber, guard: TextGuard): unknown {
  const text = typeof value === 'number' ? String(value) : value.rawJSON;
  const redacted = guard.text(text);
  return redacted === text ? value : redacted;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !isExactNumber(value);

const hasText = (value: unknown): value is Members & { text: string } =>
  isObject(value) && typeof value['text'] === 'string';
