import { withFlatRoot } from '../json-schema/flat-root.ts';
import type { Members } from '../read.ts';
import { claudeSchema } from './schema.ts';

type ObjectSchema = { type: 'object' } & Record<string, unknown>;

/**
 * The schema of a tool's input. It is an object and has no alternatives at the top level, where Claude refuses them.
 */
export const toolInput = (schema: Members = { properties: {} }): ObjectSchema => ({
  ...withFlatRoot(schema),
  type: 'object',
});

/** The same for a strict tool; `undefined` if the schema uses something that Claude cannot enforce. */
export function strictToolInput(schema?: Members): ObjectSchema | undefined {
  const strict = claudeSchema(toolInput(schema));
  return strict && { ...strict, type: 'object' };
}
