import type { SchemaDialect } from '../json-schema/dialect.ts';
import { rewriteSchema } from '../json-schema/rewrite.ts';
import type { Members } from '../read.ts';
import { toOpenApiSchema } from './schema.ts';

const common = {
  $ref: 'kept',
  $defs: 'kept',
  definitions: 'kept',
  type: 'kept',
  format: 'kept',
  title: 'kept',
  description: 'kept',
  default: 'kept',
  nullable: 'kept',
  items: 'kept',
  minItems: 'kept',
  maxItems: 'kept',
  minimum: 'kept',
  maximum: 'kept',
  anyOf: 'kept',
  oneOf: 'kept',
  allOf: 'kept',
  properties: 'kept',
  propertyOrdering: 'kept',
  required: 'kept',
  $schema: 'omitted',
  $comment: 'omitted',
} as const;

const free = { objects: 'as sent', references: 'as sent', untyped: 'as sent', otherwise: 'moved' } as const;

/** Models from 2.5 on ignore unknown keywords (ai.google.dev, "Structured output", JSON Schema support). */
const current: SchemaDialect = {
  ...free,
  keywords: {
    ...common,
    $id: 'kept',
    $anchor: 'kept',
    enum: 'kept',
    prefixItems: 'kept',
    additionalProperties: 'kept',
  },
};

const isText = (value: unknown): boolean => typeof value === 'string';

/** Older models refuse unknown keywords, and accept only strings in an enum. */
const subset: SchemaDialect = {
  ...free,
  keywords: {
    ...common,
    enum: (values) => (Array.isArray(values) && values.every(isText) ? 'kept' : 'moved'),
    const: (value) => (isText(value) ? 'kept' : 'moved'),
    pattern: 'kept',
    example: 'kept',
    $id: 'omitted',
    additionalProperties: (value) => (typeof value === 'boolean' ? 'omitted' : 'moved'),
  },
};

const written = (schema: Members, dialect: SchemaDialect): Members => {
  const result = rewriteSchema(schema, dialect);
  return result.ok ? result.schema : schema;
};

/** The schema with ignored keywords written into its descriptions. */
export const currentSchema = (schema: Members): Members => written(schema, current);

/**
 * The schema in the OpenAPI subset that models before 2.5 accept, with other keywords written into its descriptions.
 */
export const subsetSchema = (schema: Members): Members => toOpenApiSchema(written(schema, subset));
