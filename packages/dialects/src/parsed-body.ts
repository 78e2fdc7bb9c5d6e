import { GatewayError } from '@tallyport/contracts';
import { firstIssue, problemOf } from '@tallyport/wire';
import type { z } from 'zod';

/** The body as its schema reads it. Throws `invalid_parameters` with the path of the first wrong member. */
export function parsedBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const result = schema.safeParse(body, firstIssue);
  if (result.success) return result.data;
  const { param, message } = problemOf(result.error);
  throw new GatewayError('invalid_parameters', message, { ...(param !== null && { param }) });
}
