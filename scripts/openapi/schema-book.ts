import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON schemas of zod schemas, those that have a name said once. */
export interface SchemaBook {
  /** As clients send it. */
  asked(schema: z.ZodType): JsonSchema;
  /** As they read it: members may be added, so nothing is closed. */
  answered(schema: z.ZodType): JsonSchema;
  /** What was referred to. */
  schemas(): Record<string, JsonSchema>;
}

const definitions = '#/$defs/';

/** Throws when one name would stand for two different things. */
export function schemaBook(named: Readonly<Record<string, z.ZodType>>): SchemaBook {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) names.add(schema, { id });
  const schemas = new Map<string, string>();

  function converted(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // Of the outermost schema zod forgets the name.
    const whole = z.object({ schema });
    const { properties, $defs = {} } = z.toJSONSchema(whole, {
      io,
      metadata: names,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema),
    });
    for (const [name, definition] of Object.entries($defs)) keep(name, definition);
    return referring(properties?.schema);
  }

  function keep(name: string, definition: unknown): void {
    const text = JSON.stringify(referring(definition));
    const known = schemas.get(name) ?? text;
    if (known !== text) throw new Error(`${name} is one thing where it is asked and another where it is answered.`);
    schemas.set(name, text);
  }

  return {
    asked: (schema) => converted(schema, 'input'),
    answered: (schema) => converted(schema, 'output'),
    schemas: () =>
      Object.fromEntries(
        [...schemas]
          .toSorted(([one], [other]) => one.localeCompare(other))
          .map(([name, text]) => [name, JSON.parse(text)]),
      ),
  };
}

const referring = (schema: unknown): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll(`"${definitions}`, '"#/components/schemas/'));

/** Leaves out what says nothing: bounds that no number reaches, and patterns of what `format` names. */
function tidy(zodSchema: z.core.$ZodType, schema: z.core.JSONSchema.BaseSchema): void {
  if (zodSchema._zod.def.type === 'custom') schema.type = 'object';
  // That zod leaves out what it does not know means nothing to those who read.
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete schema.additionalProperties;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format !== undefined) delete schema.pattern;
}
