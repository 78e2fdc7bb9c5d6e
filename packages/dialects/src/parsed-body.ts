import { GatewayError } from '@tallyport/contracts';
import { firstIssue, problemOf, withRoundedNumbers } from '@tallyport/wire';
import type { z } from 'zod';

/** Members with JSON of tools, where numbers keep their digits: arguments of calls and results of functions. */
const ofTools: ReadonlySet<string> = new Set(['args', 'arguments', 'input', 'response', 'result']);

/** The body as its schema reads it. Throws `invalid_parameters` or `unsupported_parameter` with the path of the first wrong member. */
export function parsedBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const result = schema.safeParse(withRoundedNumbers(body, ofTools), firstIssue);
  if (result.success) return result.data;
  const { param, message, isUnsupported } = problemOf(result.error);
  const code = isUnsupported ? 'unsupported_parameter' : 'invalid_parameters';
  throw new GatewayError(code, message, { ...(param !== null && { param }) });
}
