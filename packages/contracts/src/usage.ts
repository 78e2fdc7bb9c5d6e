import { z } from 'zod';
import { byName } from './by-name.ts';
import {
  countFields,
  outcomeFields,
  requestFields,
  type TokenClass,
  tokenClasses,
  type UsageField,
} from './usage-fields.ts';
import { usageCount } from './usage-values.ts';

export type Tokens = Readonly<Record<TokenClass, number>>;

export const noTokens: Tokens = byName(tokenClasses, () => 0);

/**
 * One logical request and what it used, over all attempts. It holds no content of requests or answers. `id` is ours and
 * unique; clients choose `requestId` themselves and may reuse it.
 */
export const usageRecordSchema = z.object({
  ...schemasOf(requestFields),
  // Other versions may know other classes: unknown ones are dropped, missing ones are 0.
  tokens: z.object(byName(tokenClasses, () => usageCount.default(0))),
  ...schemasOf(countFields),
  ...schemasOf(outcomeFields),
});

export type UsageRecord = z.infer<typeof usageRecordSchema>;

function schemasOf<Fields extends Record<string, Pick<UsageField, 'schema'>>>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof Fields]: Fields[Name]['schema'];
  };
}
