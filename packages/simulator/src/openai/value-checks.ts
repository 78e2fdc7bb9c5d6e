import { invalidRequest, type ApiError } from '@tallyport/sandbox';

export type OpenAiFinding = ApiError | undefined;

/** Checks one member; `param` is its path. */
export type Check = (param: string, value: unknown) => OpenAiFinding;

/** The name of a value's type in OpenAI's error messages. */
function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

export const numberCheck =
  (minimum: number, maximum: number): Check =>
  (param, value) =>
    typeof value === 'number'
      ? range({ param, value, minimum, maximum, kind: 'decimal' })
      : wrongType(param, 'a decimal', value);

export const integerCheck =
  (minimum: number, maximum: number): Check =>
  (param, value) =>
    typeof value === 'number' && Number.isInteger(value)
      ? range({ param, value, minimum, maximum, kind: 'integer' })
      : wrongType(param, 'an integer', value);

export const oneOfCheck =
  (values: readonly string[]): Check =>
  (param, value) => {
    if (typeof value === 'string' && values.includes(value)) return undefined;
    if (value === undefined)
      return invalidRequest(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
    const known = values.map((name) => `'${name}'`).join(', ');
    return invalidRequest(`Invalid value: '${String(value)}'. Supported values are: ${known}.`, param, 'invalid_value');
  };

export const unknownParameter = (name: string): ApiError =>
  invalidRequest(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');

export const wrongType = (param: string, expected: string, value: unknown): ApiError =>
  invalidRequest(
    `Invalid type for '${param}': expected ${expected}, but got ${describe(value)} instead.`,
    param,
    'invalid_type',
  );

function range(place: { param: string; value: number; minimum: number; maximum: number; kind: string }): OpenAiFinding {
  const { param, value, minimum, maximum, kind } = place;
  if (value >= minimum && value <= maximum) return undefined;
  const [side, sign, bound] = value < minimum ? ['below minimum', '>=', minimum] : ['above maximum', '<=', maximum];
  return invalidRequest(
    `Invalid '${param}': ${kind} ${side} value. Expected a value ${sign} ${bound}, but got ${value} instead.`,
    param,
    value < minimum ? `${kind}_below_min_value` : `${kind}_above_max_value`,
  );
}
