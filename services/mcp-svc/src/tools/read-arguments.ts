import { GatewayError } from '@switchyard/contracts';
import type { z } from 'zod';

/** Throws `invalid_parameters` with a sentence a model can correct its call by. */
export function readArguments<Input extends z.ZodObject>(input: Input, given: unknown): z.output<Input> {
  const read = input.safeParse(given ?? {});
  if (read.success) return read.data;
  const problems = read.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`);
  throw new GatewayError('invalid_parameters', `The arguments do not fit. ${problems.join('; ')}.`);
}
