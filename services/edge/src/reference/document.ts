import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The file that is served as `/openapi.json`. */
export const documentFile = new URL('openapi.json', import.meta.url);

/** The members of JSON Schema that the pages show. */
export interface ReferenceSchema {
  $ref?: string | undefined;
  type?: string | string[] | undefined;
  title?: string | undefined;
  description?: string | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  default?: unknown;
  format?: string | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  exclusiveMaximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  required?: string[] | undefined;
  properties?: Record<string, ReferenceSchema> | undefined;
  items?: ReferenceSchema | undefined;
  additionalProperties?: boolean | ReferenceSchema | undefined;
  anyOf?: ReferenceSchema[] | undefined;
  oneOf?: ReferenceSchema[] | undefined;
  contentSchema?: ReferenceSchema | undefined;
}

const schemaSchema: z.ZodType<ReferenceSchema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    format: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    exclusiveMaximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    required: z.array(z.string()).optional(),
    properties: z.record(z.string(), schemaSchema).optional(),
    items: schemaSchema.optional(),
    additionalProperties: z.union([z.boolean(), schemaSchema]).optional(),
    anyOf: z.array(schemaSchema).optional(),
    oneOf: z.array(schemaSchema).optional(),
    contentSchema: schemaSchema.optional(),
  }),
);

const contentSchema = z.record(
  z.string(),
  z.object({
    schema: schemaSchema,
    examples: z.record(z.string(), z.object({ summary: z.string(), value: z.unknown() })).optional(),
  }),
);

export type Content = z.output<typeof contentSchema>;

const answerSchema = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content: contentSchema.optional(),
});

export type Answer = z.output<typeof answerSchema>;

const operationSchema = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        description: z.string().optional(),
        required: z.boolean().optional(),
        example: z.string().optional(),
        schema: schemaSchema,
      }),
    )
    .optional(),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(z.string(), answerSchema),
});

const documentSchema = z.object({
  info: z.object({ version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), schemaSchema),
    responses: z.record(z.string(), answerSchema),
    securitySchemes: z.record(z.string(), z.object({ description: z.string() })),
  }),
});

export type ReferenceDocument = z.output<typeof documentSchema>;

export interface ReferenceOperation extends z.output<typeof operationSchema> {
  method: string;
  path: string;
}

export const readReferenceDocument = (): ReferenceDocument =>
  documentSchema.parse(JSON.parse(readFileSync(documentFile, 'utf8')));

export const operationsOf = ({ paths }: ReferenceDocument): ReferenceOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

const routesSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** The method and path of each operation, read without the rest of the document. */
export function readDocumentedRoutes(): { method: string; path: string }[] {
  const { paths } = routesSchema.parse(JSON.parse(readFileSync(documentFile, 'utf8')));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
}

/** `Account` of `#/components/schemas/Account`. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
