import { isExactNumber } from '@tallyport/wire';
import { isMembers, items, type Members } from '../read.ts';

/** Keywords the older dialect supports; all others are dropped. */
const supportedKeywords: ReadonlySet<string> = new Set([
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'minItems',
  'maxItems',
  'required',
  'propertyOrdering',
  'minimum',
  'maximum',
  'pattern',
  'default',
  'example',
]);

/** Bounds the expansion of circular references. */
const MAX_DEPTH = 16;

/** Converts JSON schema to the OpenAPI subset that models before 2.5 accept. */
export function toOpenApiSchema(schema: Members): Members {
  return folded(schema, { ...definitionsOf(schema) }, 0);
}

const definitionsOf = ({ $defs, definitions }: Members): Members => ({
  ...(isMembers(definitions) ? definitions : {}),
  ...(isMembers($defs) ? $defs : {}),
});

function folded(given: unknown, definitions: Members, depth: number): Members {
  if (!isMembers(given) || depth > MAX_DEPTH) return {};
  const inner = (value: unknown): Members => folded(value, definitions, depth + 1);
  const schema = joined(given, definitions);
  const alternatives = [...items(schema.anyOf), ...items(schema.oneOf)];
  const kept = Object.entries(schema).filter(([name]) => supportedKeywords.has(name));
  return {
    ...typeOf(schema),
    ...Object.fromEntries(kept),
    ...(schema.const !== undefined && { enum: [valueText(schema.const)] }),
    ...(alternatives.length > 0 && { anyOf: alternatives.map(inner) }),
    ...(isMembers(schema.items) && { items: inner(schema.items) }),
    ...(isMembers(schema.properties) && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, value]) => [name, inner(value)])),
    }),
  };
}

const valueText = (value: unknown): string => (isExactNumber(value) ? value.rawJSON : String(value));

/** Merges the target of a reference and all parts of an `allOf` into the schema. */
function joined(schema: Members, definitions: Members): Members {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  const named = name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  const parts = [named, ...items(schema.allOf)].filter(isMembers);
  return parts.length === 0 ? schema : Object.assign({}, ...parts, schema);
}

/** A list of types becomes alternatives; `null` becomes `nullable`. */
function typeOf({ type }: Members): Members {
  if (typeof type === 'string') return { type };
  const types = items(type).filter((each) => each !== 'null');
  const nullable = items(type).includes('null') ? { nullable: true } : {};
  if (types.length === 0) return nullable;
  return types.length === 1
    ? { type: types[0], ...nullable }
    : { anyOf: types.map((each) => ({ type: each })), ...nullable };
}
