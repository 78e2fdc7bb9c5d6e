import type { LeftOvers, Path } from './left-over.ts';

/** Why a member is not carried over, and what to do instead. */
export type Reason = readonly [reason: string, instead: string];

/**
 * The members of an object of the source. Those that were not taken when `leaveRest` is called are reported, so no member
 * can be ignored silently.
 */
export interface Members {
  readonly path: Path;
  /** The names that were not taken yet. */
  names(): string[];
  value(name: string): unknown;
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  flag(name: string): boolean | undefined;
  /** Empty if it is absent. */
  list(name: string): unknown[];
  object(name: string): Members | undefined;
  leave(name: string, reason: Reason): void;
  leaveRest(known?: Readonly<Record<string, Reason>>): void;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reports a value that is no object, and continues as if it had no members. */
export function openMembers(value: unknown, path: Path, left: LeftOvers): Members {
  if (!isObject(value) && value != null) left.add(path, ...wrongType('an object'));
  const rest = new Map(isObject(value) ? Object.entries(value) : []);

  function take<Type>(name: string, kind: string, isKind: (member: unknown) => member is Type): Type | undefined {
    const member = rest.get(name);
    rest.delete(name);
    if (member == null || isKind(member)) return member ?? undefined;
    left.add([...path, name], ...wrongType(kind));
    return undefined;
  }

  function leave(name: string, reason: Reason): void {
    const isSet = rest.get(name) != null;
    rest.delete(name);
    if (isSet) left.add([...path, name], ...reason);
  }

  return {
    path,
    names: () => [...rest.keys()],
    value: (name) => take(name, '', (member): member is unknown => member !== undefined),
    text: (name) => take(name, 'a text', (member) => typeof member === 'string'),
    number: (name) => take(name, 'a number', (member): member is number => Number.isFinite(member)),
    flag: (name) => take(name, 'true or false', (member) => typeof member === 'boolean'),
    list: (name) => take(name, 'a list', (member): member is unknown[] => Array.isArray(member)) ?? [],
    object(name) {
      const member = take(name, 'an object', isObject);
      return member && openMembers(member, [...path, name], left);
    },
    leave,
    leaveRest(known = {}) {
      for (const name of rest.keys()) leave(name, Object.hasOwn(known, name) ? known[name]! : unknownMember);
    },
  };
}

const unknownMember: Reason = ['The importer does not know this member.', 'Look for its purpose in docs/settings.md.'];

const wrongType = (kind: string): Reason => [
  `It is not ${kind}, as the importer expects.`,
  'Correct it and import again.',
];
