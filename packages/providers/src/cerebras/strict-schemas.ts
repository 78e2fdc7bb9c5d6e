import type { SchemaDialect } from '../json-schema/dialect.ts';
import { rewriteSchema } from '../json-schema/rewrite.ts';
import { isMembers, items, type Members, members } from '../read.ts';

/** Keywords the vendor refuses in strict schemas (inference-docs.cerebras.ai, "Structured outputs": limitations). */
const strictDialect: SchemaDialect = {
  keywords: { pattern: 'moved', format: 'moved', minItems: 'moved', maxItems: 'moved', $schema: 'omitted' },
  otherwise: 'kept',
  objects: 'closed',
  references: 'local',
  untyped: 'as sent',
};

/**
 * Rewrites strict schemas to the vendor's dialect. A schema that cannot be rewritten is sent unchanged for the vendor
 * to refuse.
 */
export function withStrictSchemas(body: Members): Members {
  const format = members(body.response_format);
  return {
    ...body,
    ...(isMembers(format.json_schema) && {
      response_format: { ...format, json_schema: strictly(format.json_schema, 'schema') },
    }),
    ...(body.tools !== undefined && { tools: items(body.tools).map(strictTool) }),
  };
}

const strictTool = (tool: unknown): unknown =>
  isMembers(tool) && isMembers(tool.function) ? { ...tool, function: strictly(tool.function, 'parameters') } : tool;

function strictly(described: Members, name: 'schema' | 'parameters'): Members {
  const schema = described[name];
  if (described.strict !== true || !isMembers(schema)) return described;
  const result = rewriteSchema(schema, strictDialect);
  return result.ok ? { ...described, [name]: result.schema } : described;
}
