import { GatewayError } from '@tallyport/contracts';

/** Throws `unsupported_parameter` for a field that the form does not have. */
export function refuseOthers(fields: ReadonlyMap<string, string>, known: readonly string[]): void {
  const other = [...fields.keys()].find((name) => !known.includes(name));
  if (other === undefined) return;
  const message = `${other} is not supported here. Leave it out.`;
  throw new GatewayError('unsupported_parameter', message, { param: other });
}

/** A whole number within bounds; `undefined` if the field is absent. */
export function readSeconds(
  fields: ReadonlyMap<string, string>,
  name: string,
  { least, most }: { least: number; most: number },
): number | undefined {
  const text = fields.get(name);
  if (text === undefined) return undefined;
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= least && seconds <= most) return seconds;
  throw invalidValue(name, `must be a number from ${least} to ${most}`);
}

/** The size of a page. */
export function readLimit(query: URLSearchParams, { standard, most }: { standard: number; most: number }): number {
  const text = query.get('limit') ?? '';
  if (text === '') return standard;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= most) return limit;
  throw invalidValue('limit', `must be a number from 1 to ${most}`);
}

export const invalidValue = (param: string, why: string): GatewayError =>
  new GatewayError('invalid_parameters', `${param} ${why}.`, { param });
