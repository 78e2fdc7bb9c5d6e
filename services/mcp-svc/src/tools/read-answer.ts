import { GatewayError } from '@tallyport/contracts';
import type { z } from 'zod';

/** Parses a response of an internal service. Throws `internal_error` if it does not match. */
export function readAnswer<Shape extends z.ZodType>(shape: Shape, answer: unknown): z.output<Shape> {
  const read = shape.safeParse(answer);
  if (read.success) return read.data;
  throw new GatewayError('internal_error', 'An internal service returned an unreadable response. Try again.', {
    cause: read.error,
  });
}
