import { GatewayError } from '@tallyport/contracts';
import { firstIssue, problemOf, withRoundedNumbers } from '@tallyport/wire';
import type { z } from 'zod';

/** Members with JSON of the client's tools, where numbers keep their digits: arguments, results and schemas. */
const ofTools: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'input',
  'input_schema',
  'parameters',
  'parametersJsonSchema',
  'parameters_json_schema',
  'response',
  'responseJsonSchema',
  'responseSchema',
  'response_format',
  'response_json_schema',
  'response_schema',
  'result',
  'schema',
]);

/** The body as its schema reads it. Throws `invalid_parameters` or `unsupported_parameter` with the path of the first wrong member. */
export function parsedBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const result = schema.safeParse(withRoundedNumbers(body, ofTools), firstIssue);
  if (result.success) return result.data;
  const { param, message, isUnsupported } = problemOf(result.error);
  const code = isUnsupported ? 'unsupported_parameter' : 'invalid_parameters';
  throw new GatewayError(code, message, { ...(param !== null && { param }) });
}
