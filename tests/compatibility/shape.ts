import { z } from 'zod';

/** The members of a message by path, each with its presence and kind: `caller.oauth.resource` → `required mcp|v1`. */
export type Shape = Readonly<Record<string, string>>;

interface DescribedSchema {
  type?: string;
  properties?: Record<string, DescribedSchema>;
  required?: readonly string[];
  items?: DescribedSchema;
  additionalProperties?: DescribedSchema | boolean;
  anyOf?: readonly DescribedSchema[];
  enum?: readonly unknown[];
  const?: unknown;
}

/** The shape of a schema: `input` for a reader, `output` for a sender. */
export function shapeOf(schema: z.ZodType, side: 'input' | 'output'): Shape {
  const described = z.toJSONSchema(schema, { io: side, unrepresentable: 'any', reused: 'inline' });
  return Object.fromEntries(membersOf(described as DescribedSchema, ''));
}

function membersOf(described: DescribedSchema, path: string): [string, string][] {
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

function kindOf({ type, enum: values, const: value, anyOf, items }: DescribedSchema): string {
  if (values) return values.map(String).toSorted().join('|');
  if (value !== undefined) return String(value);
  if (anyOf) return [...new Set(anyOf.map(kindOf))].toSorted().join('|');
  if (type === 'array') return `array of ${kindOf(items ?? {})}`;
  return type ?? 'anything';
}

/** The paths of the members that a message has. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => pathsOf(entry, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path ? `${path}.${name}` : name;
    return [at, ...pathsOf(member, at)];
  });
}

/** Members of the shape that are in none of these messages. */
export function missingPaths(shape: Shape, messages: readonly unknown[]): string[] {
  const sent = new Set(messages.flatMap((message) => pathsOf(message)));
  return Object.keys(shape).filter((path) => !path.includes('*') && !sent.has(path));
}
