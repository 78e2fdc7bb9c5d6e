import { isMembers, type Members } from '../read.ts';
import { describedWith } from './described.ts';
import type { DialectSchema, SchemaDialect, Treatment } from './dialect.ts';
import { type KnownReference, localReferences } from './references.ts';
import { simplified } from './simplified.ts';

interface Walk {
  dialect: SchemaDialect;
  isKnown: KnownReference;
  refuse(place: string): void;
}

/**
 * Rewrites a schema to a vendor's dialect. Nothing is lost silently: a keyword that cannot be sent is in a description,
 * or `ok` is false.
 */
export function rewriteSchema(schema: Members, dialect: SchemaDialect): DialectSchema {
  const refused: string[] = [];
  const walk: Walk = { dialect, isKnown: localReferences(schema), refuse: (place) => void refused.push(place) };
  const whole = rewritten(schema, '#', walk);
  const [place] = refused;
  return place === undefined ? { ok: true, schema: whole } : { ok: false, place };
}

function rewritten(given: unknown, place: string, walk: Walk): Members {
  if (!isMembers(given)) {
    walk.refuse(place);
    return {};
  }
  const schema = simplified(renamed(given, walk.dialect));
  if (walk.dialect.untyped === 'refused' && !typeKeywords.some((name) => name in schema)) walk.refuse(place);
  const closure = closureOf(schema, place, walk);
  const kept: [string, unknown][] = [];
  const moved: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword in closure) continue;
    const at = `${place}/${keyword}`;
    const treatment = treatmentOf(keyword, value, walk);
    if (treatment === 'kept')
      kept.push([keyword, withInner(keyword, value, (inner, step) => rewritten(inner, at + step, walk))]);
    else if (treatment === 'moved') moved.push([keyword, value]);
    else if (treatment === 'refused') walk.refuse(at);
  }
  return describedWith({ ...Object.fromEntries(kept), ...closure }, Object.fromEntries(moved));
}

/** Keywords that define the type of a value; a typed schema has at least one. */
const typeKeywords = ['type', 'anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const'];

/** If a schema uses both names, the one the vendor does not support stays and is treated as the table says. */
function renamed(schema: Members, { renamed: names = {} }: SchemaDialect): Members {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    const name = Object.hasOwn(names, keyword) ? names[keyword] : undefined;
    return [name === undefined || name in schema ? keyword : name, value];
  });
  return Object.fromEntries(entries);
}

function treatmentOf(keyword: string, value: unknown, { dialect, isKnown }: Walk): Treatment {
  if (keyword === '$ref' && dialect.references === 'local') return isKnown(value) ? 'kept' : 'refused';
  const treatment = Object.hasOwn(dialect.keywords, keyword) ? dialect.keywords[keyword] : undefined;
  if (treatment === undefined) return dialect.otherwise;
  return typeof treatment === 'string' ? treatment : treatment(value);
}

/** The `additionalProperties` that closes an object, if the dialect requires it. */
function closureOf(schema: Members, place: string, { dialect, refuse }: Walk): Members {
  if (dialect.objects === 'as sent' || ![schema.type].flat().includes('object')) return {};
  const { additionalProperties: further, properties } = schema;
  const isMap = isMembers(further) && Object.keys(further).length > 0;
  // A closed map would have no members, and closed alternatives would exclude each other's members.
  if (isMap || (further !== false && !isMembers(properties))) refuse(`${place}/additionalProperties`);
  if ('anyOf' in schema) refuse(`${place}/anyOf`);
  return { additionalProperties: false };
}

const maps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const lists: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const single: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else']);

/** The value of a keyword with each schema inside it replaced. */
function withInner(keyword: string, value: unknown, change: (inner: unknown, step: string) => Members): unknown {
  if (maps.has(keyword) && isMembers(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner, `/${name}`)]));
  }
  if (lists.has(keyword) && Array.isArray(value)) return value.map((inner, index) => change(inner, `/${index}`));
  return single.has(keyword) && typeof value === 'object' ? change(value, '') : value;
}
