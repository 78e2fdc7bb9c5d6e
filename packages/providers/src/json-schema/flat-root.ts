import { isMembers, items, type Members } from '../read.ts';
import { describedWith } from './described.ts';

const combinators = ['allOf', 'anyOf', 'oneOf'] as const;

/**
 * An object schema without alternatives at the top level, for vendors that refuse those in tools. The members of all
 * parts are merged, and the rule is written into the description. Returns the same object if there is nothing to
 * change.
 */
export function withFlatRoot(schema: Members): Members {
  if (!combinators.some((name) => name in schema)) return schema;
  const { allOf, anyOf, oneOf, ...rest } = schema;
  const parts = [...items(allOf), ...items(anyOf), ...items(oneOf)].filter(isMembers);
  const properties = [...parts, rest].flatMap((part) =>
    isMembers(part.properties) ? Object.entries(part.properties) : [],
  );
  const required = [...items(allOf).filter(isMembers), rest].flatMap((part) => items(part.required));
  const flat = {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
  const moved = { allOf, anyOf, oneOf };
  return describedWith(flat, Object.fromEntries(Object.entries(moved).filter(([, value]) => value !== undefined)));
}
