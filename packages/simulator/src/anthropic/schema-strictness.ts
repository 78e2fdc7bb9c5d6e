import { isObject, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { anthropicInvalid, type AnthropicFinding } from './errors.ts';

const ofEveryType = [
  'type',
  'title',
  'description',
  'default',
  'enum',
  'const',
  'anyOf',
  'allOf',
  '$ref',
  '$defs',
  'definitions',
];

/** Further keywords that structured outputs support, by the type of the value. */
const ofType: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems'],
  string: ['format', 'pattern'],
};

const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'];

/** Checks a schema for structured outputs or a strict tool. Only a subset is supported; everything else is refused. */
export function checkStrictSchema(schema: unknown, at: string): AnthropicFinding {
  return isObject(schema)
    ? checkNode(schema, { at, root: schema, above: [] })
    : anthropicInvalid(`${at}: Field required`);
}

interface Place {
  at: string;
  root: JsonObject;
  /** The definitions that contain this place. */
  above: readonly string[];
}

function checkNode(schema: unknown, place: Place): AnthropicFinding {
  const { at } = place;
  if (!isObject(schema)) return anthropicInvalid(`${at}: Invalid schema: schema should be an object`);
  const types = [schema.type ?? []].flat().map(String);
  return (
    checkKeywords(schema, types, at) ??
    checkValues(schema, types, at) ??
    checkReference(schema, place) ??
    findFirst(innerSchemas(schema), (inner) => checkNode(inner, place))
  );
}

function checkKeywords(schema: JsonObject, types: readonly string[], at: string): AnthropicFinding {
  const known = [...ofEveryType, ...types.flatMap((type) => ofType[type] ?? [])];
  const unknown = Object.keys(schema).find((keyword) => !known.includes(keyword));
  if (unknown !== undefined)
    return anthropicInvalid(`${at}: For '${types.join(', ')}' type, property '${unknown}' is not supported`);
  const isTold = ['type', 'anyOf', 'allOf', '$ref'].some((keyword) => keyword in schema);
  return isTold ? undefined : anthropicInvalid(`${at}: Schema must have a type`);
}

function checkValues(schema: JsonObject, types: readonly string[], at: string): AnthropicFinding {
  const { minItems, format, enum: values } = schema;
  if (types.includes('object') && schema.additionalProperties !== false)
    return anthropicInvalid(`${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`);
  if (minItems !== undefined && minItems !== 0 && minItems !== 1)
    return anthropicInvalid(`${at}: For 'array' type, 'minItems' values other than 0 or 1 are not supported`);
  if (format !== undefined && !formats.includes(String(format)))
    return anthropicInvalid(`${at}: String format '${String(format)}' is not supported`);
  const isComplex = Array.isArray(values) && values.some((value) => typeof value === 'object' && value !== null);
  return isComplex ? anthropicInvalid(`${at}: Complex types within enums are not supported`) : undefined;
}

function checkReference({ $ref: reference, allOf }: JsonObject, { at, root, above }: Place): AnthropicFinding {
  if (Array.isArray(allOf) && allOf.some((part) => isObject(part) && '$ref' in part))
    return anthropicInvalid(`${at}: 'allOf' with '$ref' is not supported`);
  if (reference === undefined) return undefined;
  const [, base = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(reference)) ?? [];
  const definitions = root[base];
  const target = isObject(definitions) ? definitions[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  if (target === undefined) return anthropicInvalid(`${at}: External $ref '${String(reference)}' is not supported`);
  if (above.includes(String(reference))) return anthropicInvalid(`${at}: Too many recursive definitions in schema`);
  return checkNode(target, { at, root, above: [...above, String(reference)] });
}

function innerSchemas({ properties, $defs, definitions, items, anyOf, allOf }: JsonObject): unknown[] {
  const named = [properties, $defs, definitions].flatMap((map) => (isObject(map) ? Object.values(map) : []));
  const listed = [anyOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...named, ...listed, ...(items === undefined ? [] : [items])];
}
