import { z } from 'zod';

/** Every member of a message by its path, with whether it must be there and what it is: `caller.oauth.resource` → `required mcp|v1`. */
export type Shape = Readonly<Record<string, string>>;

interface Described {
  type?: string;
  properties?: Record<string, Described>;
  required?: readonly string[];
  items?: Described;
  additionalProperties?: Described | boolean;
  anyOf?: readonly Described[];
  enum?: readonly unknown[];
  const?: unknown;
}

/** `input` is what a reader asks for, `output` what a sender makes. */
export function shapeOf(schema: z.ZodType, side: 'input' | 'output'): Shape {
  const described = z.toJSONSchema(schema, { io: side, unrepresentable: 'any', reused: 'inline' });
  return Object.fromEntries(membersOf(described as Described, ''));
}

function membersOf(described: Described, path: string): [string, string][] {
  const { properties = {}, required = [], items, additionalProperties, anyOf = [] } = described;
  return [
    ...Object.entries(properties).flatMap(([name, member]) => {
      const at = path ? `${path}.${name}` : name;
      const presence = required.includes(name) ? 'required' : 'optional';
      return [[at, `${presence} ${kindOf(member)}`] as [string, string], ...membersOf(member, at)];
    }),
    ...(items ? membersOf(items, `${path}[]`) : []),
    ...(typeof additionalProperties === 'object' ? membersOf(additionalProperties, `${path}.*`) : []),
    ...anyOf.flatMap((choice) => membersOf(choice, path)),
  ];
}

function kindOf({ type, enum: values, const: value, anyOf, items }: Described): string {
  if (values) return values.map(String).toSorted().join('|');
  if (value !== undefined) return String(value);
  if (anyOf) return [...new Set(anyOf.map(kindOf))].toSorted().join('|');
  if (type === 'array') return `array of ${kindOf(items ?? {})}`;
  return type ?? 'anything';
}

/** The same paths of a message that was sent: which of the members it has. */
export function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => pathsOf(entry, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path ? `${path}.${name}` : name;
    return [at, ...pathsOf(member, at)];
  });
}

/** Members that a reader knows and none of these messages has. */
export function missingPaths(shape: Shape, messages: readonly unknown[]): string[] {
  const sent = new Set(messages.flatMap((message) => pathsOf(message)));
  return Object.keys(shape).filter((path) => !path.includes('*') && !sent.has(path));
}
