import { isObject, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { googleInvalid } from './errors.ts';
import { unknownOf, type GoogleFinding } from './unknown.ts';

/** Keywords of the OpenAPI subset. All other keywords of JSON Schema are refused as unknown names. */
const keywords = [
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'items',
  'minItems',
  'maxItems',
  'properties',
  'required',
  'propertyOrdering',
  'minimum',
  'maximum',
  'anyOf',
  'pattern',
  'default',
  'example',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
];

export function checkSchema(schema: unknown, at: string): GoogleFinding {
  if (!isObject(schema)) return googleInvalid(`Invalid value at '${at}'`);
  const wrong = unknownOf(schema, keywords, at) ?? checkType(schema, at);
  if (wrong) return wrong;
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
  return (
    findFirst(properties, ([name, inner]) => checkSchema(inner, `${at}.properties[${name}]`)) ??
    (schema.items === undefined ? undefined : checkSchema(schema.items, `${at}.items`)) ??
    findFirst(Array.isArray(schema.anyOf) ? schema.anyOf : [], (inner, index) =>
      checkSchema(inner, `${at}.any_of[${index}]`),
    )
  );
}

const types = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'];

function checkType({ type, properties, enum: values }: JsonObject, at: string): GoogleFinding {
  if (Array.isArray(type)) return googleInvalid(`Proto field is not repeating, cannot start list. (${at}.type)`);
  if (type !== undefined && !types.includes(String(type).toUpperCase()))
    return googleInvalid(`Invalid value at '${at}.type': "${String(type)}"`);
  if (String(type).toUpperCase() === 'OBJECT' && isObject(properties) && Object.keys(properties).length === 0)
    return googleInvalid(`${at}.properties: should be non-empty for OBJECT type`);
  if (Array.isArray(values) && values.some((value) => typeof value !== 'string'))
    return googleInvalid(`Invalid value at '${at}.enum' (TYPE_STRING)`);
  return undefined;
}
