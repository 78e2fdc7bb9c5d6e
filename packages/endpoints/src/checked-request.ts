import { GatewayError } from '@tallyport/contracts';
import { firstIssue, problemOf } from '@tallyport/wire';
import type { z } from 'zod';

/** A body as its schema reads it. Throws `invalid_parameters` with the path of the first wrong member. */
export function checkedRequest<Request>(schema: z.ZodType<Request>, body: unknown): Request {
  const { success, data, error } = schema.safeParse(body, firstIssue);
  if (success) return data;
  const { param, message } = problemOf(error);
  throw new GatewayError('invalid_parameters', message, param === null ? {} : { param });
}
