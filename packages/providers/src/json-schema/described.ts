import { type Members, text } from '../read.ts';

/** Writes keywords that the vendor does not accept into the schema's description. */
export function describedWith(schema: Members, moved: Members): Members {
  if (Object.keys(moved).length === 0) return schema;
  const note = `Constraints (JSON Schema): ${JSON.stringify(moved)}`;
  const said = text(schema.description);
  return { ...schema, description: said === undefined ? note : `${said}\n\n${note}` };
}
