import { isExactNumber } from '@tallyport/wire';
import type { SchemaDialect } from '../json-schema/dialect.ts';
import { rewriteSchema } from '../json-schema/rewrite.ts';
import { isMembers, type Members } from '../read.ts';

const isSimple = (value: unknown): boolean => typeof value !== 'object' || value === null || isExactNumber(value);

const formats: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

/** What structured outputs support, wherever Claude is served (platform.claude.com, "JSON Schema limitations"). */
const claudeDialect: SchemaDialect = {
  keywords: {
    type: 'kept',
    properties: 'kept',
    required: 'kept',
    items: (value) => (isMembers(value) ? 'kept' : 'refused'),
    anyOf: 'kept',
    $defs: 'kept',
    definitions: 'kept',
    title: 'kept',
    description: 'kept',
    default: 'kept',
    enum: (value) => (Array.isArray(value) && value.every(isSimple) ? 'kept' : 'refused'),
    const: (value) => (isSimple(value) ? 'kept' : 'refused'),
    format: (value) => (formats.has(value) ? 'kept' : 'moved'),
    minItems: (value) => (value === 0 || value === 1 ? 'kept' : 'moved'),
    // Every object is closed, so the keyword is redundant.
    additionalProperties: 'omitted',
    unevaluatedProperties: (value) => (value === false ? 'omitted' : 'moved'),
    $schema: 'omitted',
    $id: 'omitted',
    $comment: 'omitted',
    allOf: 'refused',
    oneOf: 'refused',
    prefixItems: 'refused',
    patternProperties: 'refused',
    $dynamicRef: 'refused',
  },
  otherwise: 'moved',
  renamed: { oneOf: 'anyOf' },
  objects: 'closed',
  references: 'local',
  untyped: 'refused',
};

/** The schema in Claude's dialect; `undefined` if structured outputs cannot express it. */
export function claudeSchema(schema: Members): Members | undefined {
  const result = rewriteSchema(schema, claudeDialect);
  return result.ok ? result.schema : undefined;
}
