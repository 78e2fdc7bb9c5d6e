import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { messageKinds } from './contracts.ts';
import { currentVersion, recordedMessages, recordedShapes, versions } from './recorded.ts';
import { missingPaths, type Shape, shapeOf } from './shape.ts';

const unrecorded = (what: string): string =>
  `${what} is not recorded: node tests/compatibility/record.ts && npm run format; what it cannot make up, add to fixtures/${currentVersion}`;

describe.for(versions)('messages of version %s, read by this one', (version) => {
  const known = new Set(Object.keys(recordedShapes(version)));

  test.for(messageKinds.filter(({ name }) => known.has(name)))('$name', ({ name, schema }) => {
    const messages = recordedMessages(version, name);
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) expect(schema.parse(message)).toEqual(message);
  });

  test('a member that one side must have is one that the other side always sends, both ways', () => {
    expect(
      messageKinds.flatMap(({ name, schema }) => {
        const before = recordedShapes(version)[name];
        return before ? breaksBetween(before, schema).map((problem) => `${name}: ${problem}`) : [];
      }),
    ).toEqual([]);
  });
});

describe('messages of this version', () => {
  test.for(messageKinds)('$name: every member is in a recorded message', ({ name, schema }) => {
    const missing = missingPaths(shapeOf(schema, 'input'), recordedMessages(currentVersion, name));
    expect(missing.map(unrecorded)).toEqual([]);
  });

  test('what each kind of message has is recorded', () => {
    const recorded = recordedShapes(currentVersion);
    const changed = messageKinds.filter(
      ({ name, schema }) => JSON.stringify(recorded[name]) !== JSON.stringify(shapeOf(schema, 'input')),
    );
    expect(changed.map(({ name }) => unrecorded(name))).toEqual([]);
  });

  // What people write is held to strictly; what other versions send never is.
  test.for(messageKinds.filter(({ name }) => name !== 'auth.createKey.input'))(
    '$name: what the next version adds is left out, and the rest is read',
    ({ name, schema }) => {
      for (const message of recordedMessages(currentVersion, name)) {
        expect(schema.parse(withMore(message, schema))).toEqual(message);
      }
    },
  );
});

/** Members that would make one of two versions side by side unreadable for the other. */
function breaksBetween(before: Shape, schema: z.ZodType): string[] {
  const reading = shapeOf(schema, 'input');
  const sending = shapeOf(schema, 'output');
  return Object.entries({ ...before, ...reading }).flatMap(([path]) => {
    const [then, now, sent] = [read(before[path]), read(reading[path]), read(sending[path])];
    return [
      ...(now?.required && !then?.required ? [`${path} must be there now, and was not always sent`] : []),
      ...(then?.required && !sent?.required ? [`${path} had to be there, and is not always sent now`] : []),
      ...(then && now && !fits(now.kind, then.kind) ? [`${path} was ${then.kind} and is ${now.kind}`] : []),
    ];
  });
}

function read(member: string | undefined): { required: boolean; kind: string } | undefined {
  if (member === undefined) return undefined;
  const [presence = '', ...kind] = member.split(' ');
  return { required: presence === 'required', kind: kind.join(' ') };
}

/** A new value is read by one version before the next one sends it. */
const fits = (now: string, then: string): boolean => {
  const known = new Set(then.split('|'));
  return now.split('|').every((kind) => known.has(kind));
};

const later = 'added_later';

/** A message with a member nobody knows in every object of it whose members have names of ours. */
function withMore(message: unknown, schema: z.ZodType): unknown {
  const named = new Set(Object.keys(shapeOf(schema, 'input')).map((path) => path.slice(0, path.lastIndexOf('.') + 1)));
  const add = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((entry) => add(entry, `${path}[]`));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [name, add(member, path ? `${path}.${name}` : name)]);
    return Object.fromEntries(named.has(path ? `${path}.` : '') ? [...members, [later, { [later]: 1 }]] : members);
  };
  return add(message, '');
}
