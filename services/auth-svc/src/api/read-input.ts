import { GatewayError } from '@switchyard/contracts';
import type { z } from 'zod';

const mostProblems = 3;

/** What was sent, checked; the error names the first member that is wrong, and says what is wrong with the first few. */
export function readInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  const { issues } = read.error;
  const problems = issues.slice(0, mostProblems).map(({ path, message }) => [pathText(path), message].join(' ').trim());
  const param = pathText(issues[0]?.path ?? []);
  throw new GatewayError('invalid_parameters', `${problems.join('; ')}.`, { ...(param !== '' && { param }) });
}

/** `limits.requestsPerMinute`, `allowedModels[2]`. */
const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
