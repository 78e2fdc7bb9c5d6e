import { z } from 'zod';
import { isPlainObject } from '../plain-object.ts';

/** An object that is passed on as it is: its members are not checked. */
export const anyMembers = z.custom<Record<string, unknown>>(isPlainObject, 'must be an object');

export const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/** The form of the text to write. Flat; a chat nests it. */
export const textFormat = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('text') }),
    z.looseObject({ type: z.literal('json_object') }),
    z.looseObject({
      type: z.literal('json_schema'),
      name: z.string(),
      description: z.string().nullish(),
      schema: anyMembers.nullish(),
      strict: z.boolean().nullish(),
    }),
  ],
  { error: 'must be one of text, json_object, json_schema' },
);

export type ResponsesTextFormat = z.infer<typeof textFormat>;
