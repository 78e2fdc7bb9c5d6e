import type { z } from 'zod';

/** An answer as its service builds it, of which clients get the JSON. */
export type Sent<Schema extends z.ZodType> = AsReadonly<z.output<Schema>>;

type AsReadonly<Value> = Value extends object ? { readonly [Name in keyof Value]: AsReadonly<Value[Name]> } : Value;
