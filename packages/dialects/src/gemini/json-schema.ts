import { withCamelNames } from './proto.ts';
import { isPlainObject } from '../plain-object.ts';

type Schema = Record<string, unknown>;

/**
 * The vendor's own schemas, a part of OpenAPI's, as JSON schema: types in lower case, `nullable` as a type, numbers that
 * arrive as text as numbers. The parser of bodies bounds the depth.
 */
export function toJsonSchema(given: unknown): unknown {
  if (!isPlainObject(given)) return given;
  const { nullable, propertyOrdering: _order, example, ...schema } = withCamelNames(given) as Schema;
  const rewritten = Object.fromEntries(Object.entries(schema).flatMap(([name, value]) => rewrittenMember(name, value)));
  const shown = example === undefined ? {} : { examples: [example] };
  return nullable === true ? withNull({ ...rewritten, ...shown }) : { ...rewritten, ...shown };
}

function rewrittenMember(name: string, value: unknown): [string, unknown][] {
  switch (name) {
    case 'type':
      return typeOf(value);
    case 'items':
    case 'additionalProperties':
      return [[name, toJsonSchema(value)]];
    case 'anyOf':
    case 'prefixItems':
      return [[name, Array.isArray(value) ? value.map(toJsonSchema) : value]];
    case 'properties':
    case 'defs':
      return [[name, eachSchema(value)]];
    default:
      return [[name, countNames.has(name) && typeof value === 'string' ? Number(value) : value]];
  }
}

/** 64-bit numbers are text in this API. */
const countNames = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']);

/** Clients that translate JSON schema themselves send lists of types, too. */
function typeOf(type: unknown): [string, unknown][] {
  if (Array.isArray(type)) return [['type', type.map(lower)]];
  return type === 'TYPE_UNSPECIFIED' ? [] : [['type', lower(type)]];
}

const lower = (type: unknown): unknown => (typeof type === 'string' ? type.toLowerCase() : type);

const eachSchema = (value: unknown): unknown =>
  isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, toJsonSchema(schema)]))
    : value;

function withNull(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}
