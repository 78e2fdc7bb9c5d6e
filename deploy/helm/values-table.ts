import { z } from 'zod';
import { valuesSchema } from './values.ts';

interface ValueRow {
  /** `services.<name>` for the values of each service. */
  path: string;
  description: string;
}

const nodeSchema = z.looseObject({
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
});

/** Every described value of the chart, in the order of the schema. */
export const schemaRows = (): readonly ValueRow[] => rowsOf(z.toJSONSchema(valuesSchema), []);

function rowsOf(value: unknown, path: readonly string[]): readonly ValueRow[] {
  const { description, properties = {}, additionalProperties: every } = nodeSchema.parse(value);
  const own = description === undefined ? [] : [{ path: path.join('.'), description }];
  const members = nodeSchema.safeParse(every).data?.properties ? { '<name>': every } : properties;
  return [...own, ...Object.entries(members).flatMap(([name, member]) => rowsOf(member, [...path, name]))];
}
