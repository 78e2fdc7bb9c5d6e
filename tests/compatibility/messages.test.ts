import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { messageKinds } from './contracts.ts';
import { currentVersion, recordedMessages, recordedShapes, versions } from './recorded.ts';
import { missingPaths, type Shape, shapeOf } from './shape.ts';

const unrecorded = (name: string): string =>
  `${name} is not recorded. Run: node tests/compatibility/record.ts && npm run format. Add values it cannot generate to fixtures/${currentVersion}`;

describe.for(versions)('messages of version %s, read by this one', (version) => {
  const known = new Set(Object.keys(recordedShapes(version)));

  test.for(messageKinds.filter(({ name }) => known.has(name)))('$name', ({ name, schema }) => {
    const messages = recordedMessages(version, name);
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) expect(schema.parse(message)).toEqual(message);
  });

  test('a member that one version requires is always sent by the other, both ways', () => {
    expect(
      messageKinds.flatMap(({ name, schema }) => {
        const before = recordedShapes(version)[name];
        return before ? breaksBetween(before, schema).map((problem) => `${name}: ${problem}`) : [];
      }),
    ).toEqual([]);
  });
});

describe('messages of this version', () => {
  test.for(messageKinds)('$name: a recorded message has every member', ({ name, schema }) => {
    const missing = missingPaths(shapeOf(schema, 'input'), recordedMessages(currentVersion, name));
    expect(missing.map(unrecorded)).toEqual([]);
  });

  test('the shape of each kind of message is recorded', () => {
    const recorded = recordedShapes(currentVersion);
    const changed = messageKinds.filter(
      ({ name, schema }) => JSON.stringify(recorded[name]) !== JSON.stringify(shapeOf(schema, 'input')),
    );
    expect(changed.map(({ name }) => unrecorded(name))).toEqual([]);
  });

  // Input of users is validated strictly, messages of other versions are not.
  test.for(messageKinds.filter(({ name }) => name !== 'auth.createKey.input'))(
    '$name: reads a message with members added by a later version',
    ({ name, schema }) => {
      for (const message of recordedMessages(currentVersion, name)) {
        expect(schema.parse(withUnknownMembers(message, schema))).toEqual(message);
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
      ...(now?.required && !then?.required ? [`${path} is required now, but was not always sent`] : []),
      ...(then?.required && !sent?.required ? [`${path} was required, but is not always sent now`] : []),
      ...(then && now && !fits(now.kind, then.kind) ? [`${path} was ${then.kind} and is ${now.kind}`] : []),
    ];
  });
}

function read(member: string | undefined): { required: boolean; kind: string } | undefined {
  if (member === undefined) return undefined;
  const [presence = '', ...kind] = member.split(' ');
  return { required: presence === 'required', kind: kind.join(' ') };
}

/** Every value that is sent must be known to the other version. */
const fits = (now: string, then: string): boolean => {
  const known = new Set(then.split('|'));
  return now.split('|').every((kind) => known.has(kind));
};

const addedMember = 'added_later';

/** Adds an unknown member to every object of a message, except for objects with arbitrary keys. */
function withUnknownMembers(message: unknown, schema: z.ZodType): unknown {
  const named = new Set(Object.keys(shapeOf(schema, 'input')).map((path) => path.slice(0, path.lastIndexOf('.') + 1)));
  const add = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((entry) => add(entry, `${path}[]`));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [name, add(member, path ? `${path}.${name}` : name)]);
    return Object.fromEntries(
      named.has(path ? `${path}.` : '') ? [...members, [addedMember, { [addedMember]: 1 }]] : members,
    );
  };
  return add(message, '');
}
