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
 * One logical request and what it used, whatever it took to answer it. No content of requests or answers is in it. `id`
 * is ours and unique: clients choose `requestId` themselves and may use one twice.
 */
export const usageRecordSchema = z.object({
  ...schemasOf(requestFields),
  // Other versions may know other classes: unknown ones are left out, missing ones are 0.
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
