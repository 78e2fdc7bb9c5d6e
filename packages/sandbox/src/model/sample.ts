import { isObject, type JsonObject } from '../json.ts';

/** Deeper and recursive schemas end in null. */
const maxDepth = 16;

/** The approximate maximum length of a sample: a small schema can require an immense value. */
const maxCharacters = 8 * 1024;

/** The smallest plausible value for a JSON schema, with required members only. Deterministic and bounded in size. */
export function sampleOf(schema: unknown): unknown {
  return sample({ schema, root: schema, name: 'value', depth: 0, budget: { characters: maxCharacters } });
}

interface Place {
  schema: unknown;
  /** The document that `$ref` pointers refer to. */
  root: unknown;
  /** The member's name, which is part of sample strings. */
  name: string;
  depth: number;
  /** Shared by the whole sample. */
  budget: { characters: number };
}

function sample(place: Place): unknown {
  const { schema, depth, budget } = place;
  budget.characters -= place.name.length + 4;
  if (!isObject(schema) || depth > maxDepth || budget.characters < 0) return null;
  const inner = (part: unknown) => sample({ ...place, schema: part, depth: depth + 1 });
  if (typeof schema.$ref === 'string') return inner(resolve(place.root, schema.$ref));
  const given = givenValue(schema);
  if (given !== undefined) return affordable(given, budget);
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (Array.isArray(alternatives)) return inner(alternatives[0]);
  return sampleOfType(schema, place);
}

function givenValue(schema: JsonObject): unknown {
  if (schema.const !== undefined) return schema.const;
  return Array.isArray(schema.enum) ? schema.enum[0] : schema.default;
}

function affordable(value: unknown, budget: Place['budget']): unknown {
  budget.characters -= JSON.stringify(value).length;
  return budget.characters < 0 ? null : value;
}

function sampleOfType(schema: JsonObject, place: Place): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, place);
    case 'array':
      return sampleArray(schema, place);
    case 'string':
      return affordable(sampleString(schema, place.name), place.budget);
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function typeOf(schema: JsonObject): unknown {
  if (Array.isArray(schema.type)) return schema.type[0];
  return schema.type ?? (isObject(schema.properties) ? 'object' : 'string');
}

function sampleObject(schema: JsonObject, place: Place): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
  const depth = place.depth + 1;
  return Object.fromEntries(
    [...required].map((name) => [name, sample({ ...place, schema: properties[name] ?? {}, name, depth })]),
  );
}

function sampleArray(schema: JsonObject, place: Place): unknown[] {
  const length = Math.min(100, Math.max(1, Number(schema.minItems ?? 1)));
  return Array.from({ length }, () => sample({ ...place, schema: schema.items ?? {}, depth: place.depth + 1 }));
}

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'someone@example.com',
  time: '00:00:00Z',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function sampleString(schema: JsonObject, name: string): string {
  const text = formats[String(schema.format)] ?? `simulated ${name}`;
  const shortest = Number(schema.minLength ?? 0);
  const longest = Number(schema.maxLength ?? Number.POSITIVE_INFINITY);
  return text.padEnd(Math.min(shortest, maxCharacters), '.').slice(0, longest);
}

function sampleNumber(schema: JsonObject): number {
  if (typeof schema.minimum === 'number') return schema.minimum;
  if (typeof schema.exclusiveMinimum === 'number') return schema.exclusiveMinimum + 1;
  if (typeof schema.maximum === 'number') return Math.min(1, schema.maximum);
  return 1;
}

/** Follows a pointer inside the same document, such as `#/$defs/address`. */
function resolve(root: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), root);
}
