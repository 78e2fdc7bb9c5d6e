import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Converts zod schemas to JSON Schema. A named schema is defined once and referred to by its name. */
export interface SchemaBook {
  /** The schema of what clients send. */
  input(schema: z.ZodType): JsonSchema;
  /** The schema of what clients read. Members may be added later, so its objects are open. */
  output(schema: z.ZodType): JsonSchema;
  /** The named schemas referred to so far. */
  schemas(): Record<string, JsonSchema>;
}

const definitions = '#/$defs/';

/** `input` and `output` throw if one name would have two different definitions. */
export function schemaBook(named: Readonly<Record<string, z.ZodType>>): SchemaBook {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) names.add(schema, { id });
  const schemas = new Map<string, string>();

  function converted(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // zod drops the name of the outermost schema, so wrap it.
    const whole = z.object({ schema });
    const { properties, $defs = {} } = z.toJSONSchema(whole, {
      io,
      metadata: names,
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema }) {
        // Only the names are taken from `metadata`.
        Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
        tidy(zodSchema, jsonSchema);
      },
    });
    for (const [name, definition] of Object.entries($defs)) keep(name, definition);
    return withReferences(properties?.schema);
  }

  function keep(name: string, definition: unknown): void {
    const text = JSON.stringify(withReferences(definition));
    const known = schemas.get(name) ?? text;
    if (known !== text) throw new Error(`${name} has different definitions as input and as output.`);
    schemas.set(name, text);
  }

  return {
    input: (schema) => converted(schema, 'input'),
    output: (schema) => converted(schema, 'output'),
    schemas: () =>
      Object.fromEntries(
        [...schemas]
          .toSorted(([one], [other]) => one.localeCompare(other))
          .map(([name, text]) => [name, JSON.parse(text)]),
      ),
  };
}

const withReferences = (schema: unknown): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll(`"${definitions}`, '"#/components/schemas/'));

/** Removes what carries no information: the bounds of safe integers, and the pattern of a `format`. */
function tidy(zodSchema: z.core.$ZodType, schema: z.core.JSONSchema.BaseSchema): void {
  if (zodSchema._zod.def.type === 'custom') schema.type = 'object';
  // zod strips unknown members of these objects; for a reader of the document they are allowed.
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete schema.additionalProperties;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format !== undefined) delete schema.pattern;
}
