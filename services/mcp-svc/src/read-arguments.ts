import { GatewayError } from '@tallyport/contracts';
import { firstIssue } from '@tallyport/wire';
import type { z } from 'zod';

/** Bounds the text: unknown members are listed, and there may be many. */
const maxProblemLength = 300;

/** Throws `invalid_parameters` with a message from which a model can correct its call. */
export function readArguments<Input extends z.ZodObject>(input: Input, given: unknown): z.output<Input> {
  const read = input.safeParse(given ?? {}, firstIssue);
  if (read.success) return read.data;
  const problems = read.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.map(String).join('.') || 'arguments'} ${message}`.slice(0, maxProblemLength));
  throw new GatewayError('invalid_parameters', `Invalid arguments. ${problems.join('; ')}.`);
}
