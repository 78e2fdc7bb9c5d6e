import { GatewayError } from '@switchyard/contracts';
import type { z } from 'zod';

/** What a service of ours answered, in so far as a tool reads it. */
export function readAnswer<Shape extends z.ZodType>(shape: Shape, answer: unknown): z.output<Shape> {
  const read = shape.safeParse(answer);
  if (read.success) return read.data;
  throw new GatewayError('internal_error', 'A service answered in a form that cannot be read. Try again.', {
    cause: read.error,
  });
}
