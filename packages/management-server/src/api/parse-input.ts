import { GatewayError } from '@tallyport/contracts';
import { issueText } from '@tallyport/wire';
import type { z } from 'zod';

const maxProblems = 3;

/**
 * Parses the input. Throws `invalid_parameters` that describes the first few problems, with `param` naming the first.
 * `whole` is the name of the input itself, for problems without a path.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown, whole = ''): z.output<Schema> {
  const read = schema.safeParse(input, { error: issueText });
  if (read.success) return read.data;
  const { issues } = read.error;
  const problems = issues
    .slice(0, maxProblems)
    .map(({ path, message }) => [pathText(path) || whole, message].join(' ').trim());
  const param = pathText(issues[0]?.path ?? []);
  throw new GatewayError('invalid_parameters', `${problems.join('; ')}.`, { ...(param !== '' && { param }) });
}

/** Formats a path, for example `limits.requestsPerMinute` or `allowedModels[2]`. */
const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
