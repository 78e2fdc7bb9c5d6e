import type { z } from 'zod';
import { json } from './content-types.ts';
import type { EndpointDescription } from './description.ts';

/** The answers of an endpoint that has only one, in JSON. */
export const onlyAnswer = (description: string, schema: z.ZodType): EndpointDescription['answers'] => ({
  200: { description, content: { [json]: { schema } } },
});
