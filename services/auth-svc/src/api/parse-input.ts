import { GatewayError } from '@switchyard/contracts';
import type { z } from 'zod';

const mostProblems = 3;

/**
 * What was sent, checked; the error names the first member that is wrong, and says what is wrong with the first few.
 * `whole` is what people call the input itself.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown, whole = ''): z.output<Schema> {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  const { issues } = read.error;
  const problems = issues.slice(0, mostProblems).map(({ path, message }) => {
    const isMissing = path.reduce(memberOf, input) === undefined;
    return [pathText(path) || whole, isMissing ? 'is missing' : message].join(' ').trim();
  });
  const param = pathText(issues[0]?.path ?? []);
  throw new GatewayError('invalid_parameters', `${problems.join('; ')}.`, { ...(param !== '' && { param }) });
}

const memberOf = (from: unknown, name: PropertyKey): unknown =>
  typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;

/** `limits.requestsPerMinute`, `allowedModels[2]`. */
const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
