import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;
type Bound = { readonly origin: string; readonly inclusive?: boolean | undefined };

/**
 * For zod's parsers: describes an issue so that it can follow the name of its member, for example `is missing` or
 * `must have at most 100 characters`. A message that the schema itself sets takes precedence.
 */
export const issueText: z.core.$ZodErrorMap = (issue: RawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return typeText(issue);
    case 'too_big':
      return `must ${bounded(issue, { inclusive: 'at most', exclusive: 'less than' })(issue.maximum)}`;
    case 'too_small':
      return tooSmallText(issue);
    case 'invalid_value':
      return valueText(issue);
    case 'unrecognized_keys':
      return unknownText(issue.keys);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return formats[issue.format] ?? 'has an invalid format';
    case 'invalid_key':
      return keyText(issue);
    default:
      return 'is not valid';
  }
};

/** Names a few members: a request may have thousands of unknown ones. */
function unknownText(keys: readonly string[]): string {
  const rest = keys.length - mostNamed;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return `has the unknown member${keys.length === 1 ? '' : 's'} ${quoted(keys.slice(0, mostNamed))}${more}`;
}

const mostNamed = 5;

type IssueOf<Code extends RawIssue['code']> = Extract<RawIssue, { code: Code }>;

const typeText = ({ input, expected }: IssueOf<'invalid_type'>): string =>
  input === undefined ? 'is missing' : `must be ${typeNames[expected] ?? expected}`;

function valueText({ input, values }: IssueOf<'invalid_value'>): string {
  if (input === undefined) return 'is missing';
  return `must be ${values.length === 1 ? '' : 'one of '}${quoted(values)}`;
}

function tooSmallText(issue: IssueOf<'too_small'>): string {
  if (issue.minimum === 1 && units[issue.origin] !== undefined) return 'must not be empty';
  return `must ${bounded(issue, { inclusive: 'at least', exclusive: 'more than' })(issue.minimum)}`;
}

/** The path of the issue ends with the key, so this is about the text of the key. */
const keyText = ({ issues }: IssueOf<'invalid_key'>): string => issues[0]?.message ?? 'is not valid';

const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

const bounded =
  ({ origin, inclusive = true }: Bound, words: { inclusive: string; exclusive: string }) =>
  (limit: number | bigint): string => {
    const unit = units[origin];
    const amount = `${inclusive ? words.inclusive : words.exclusive} ${limit}`;
    return unit === undefined ? `be ${amount}` : `have ${amount} ${unit}${Number(limit) === 1 ? '' : 's'}`;
  };

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'member' };

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

const formats: Readonly<Record<string, string>> = {
  date: 'must be a date such as 2030-01-31',
  datetime: 'must be a date and time with a time zone, such as 2030-01-31T12:00:00Z',
  email: 'must be an e-mail address',
  url: 'must be a URL',
};
