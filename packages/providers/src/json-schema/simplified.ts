import { isExactNumber } from '@tallyport/wire';
import { isMembers, items, type Members } from '../read.ts';

/**
 * The same schema in a simpler form, which more vendors accept: an `allOf` of one part becomes that part, implied types
 * are written out, alternatives have a type each, and a reference has no siblings.
 */
export const simplified = (schema: Members): Members => aloneReference(typedAlternatives(typed(joined(schema))));

/** Merges only parts without conflicting keywords; annotations of the outer schema take precedence. */
function joined(schema: Members): Members {
  const { allOf, ...rest } = schema;
  const [part, ...further] = items(allOf);
  if (!isMembers(part) || further.length > 0) return schema;
  const disputed = Object.keys(part).some((name) => name in rest && !annotations.has(name));
  return disputed ? schema : joined({ ...part, ...rest });
}

const annotations: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);

function typed(schema: Members): Members {
  if (schema.type !== undefined) return schema;
  const type = impliedType(schema);
  return type === undefined ? schema : { type, ...schema };
}

function impliedType(schema: Members): string | string[] | undefined {
  if (isMembers(schema.properties)) return 'object';
  if (isMembers(schema.items)) return 'array';
  const values = 'const' in schema ? [schema.const] : items(schema.enum);
  const types = [...new Set(values.map(typeOfValue))];
  return types.length === 1 ? types[0] : types.length > 1 ? types : undefined;
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (isExactNumber(value)) return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

function typedAlternatives(schema: Members): Members {
  const { type, anyOf, ...rest } = schema;
  if (type === undefined || !Array.isArray(anyOf) || 'properties' in rest) return schema;
  return { anyOf: anyOf.map((part) => (isMembers(part) ? { type, ...part } : part)), ...rest };
}

function aloneReference(schema: Members): Members {
  const { $ref, ...rest } = schema;
  const isBeside = Object.keys(rest).some((name) => name !== '$defs' && name !== 'definitions');
  return $ref === undefined || !isBeside || 'anyOf' in rest ? schema : { anyOf: [{ $ref }], ...rest };
}
