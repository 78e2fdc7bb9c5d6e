import { GatewayError } from '@tallyport/contracts';
import { isExactNumber } from '@tallyport/wire';
import { isMembers, type Members } from '../read.ts';
import type { ReportPage, ReportQuestion } from './cost-report.ts';

const decimal = /^-?\d{1,12}(\.\d{1,40})?(e[+-]?\d{1,2})?$/i;

/** A number of the answer as text with all its digits, or text that has a number. */
export function digitsOf(value: unknown): string | undefined {
  const digits = isExactNumber(value) ? value.rawJSON : typeof value === 'number' ? String(value) : value;
  return typeof digits === 'string' && decimal.test(digits) ? digits : undefined;
}

/** A hundredth of a decimal number, by its exponent: no digit changes. */
export function hundredthOf(digits: string): string {
  const [mantissa = '', exponent = '0'] = digits.toLowerCase().split('e');
  return `${mantissa}e${Number(exponent) - 2}`;
}

const mostCounted = 1e15;

/** A count; 0 if the answer has none. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= mostCounted ? value : 0;

/** Throws the sentence about an answer that is no report. */
export function unreadable(name: string, missing: string): never {
  throw new GatewayError(
    'upstream_error',
    `The report of ${name} cannot be read: ${missing}. Try again, and report it if it stays so.`,
  );
}

/** A list of objects that the report must have. */
export function listIn(name: string, answer: unknown, member: string): readonly Members[] {
  const list = isMembers(answer) ? answer[member] : undefined;
  return Array.isArray(list) ? list.filter(isMembers) : unreadable(name, `it has no list \`${member}\``);
}

interface BucketReport {
  path: string;
  /** The vendor's name for people. */
  name: string;
  /** When a bucket begins. */
  startOf(bucket: Members): unknown;
  read(result: Members, day: string): Pick<ReportPage, 'lines' | 'uses'>;
}

/** A question whose answers are pages of buckets, one for each day, with a list of results. */
export function bucketQuestion({ path, name, startOf, read }: BucketReport): ReportQuestion {
  return {
    path,
    read(answer) {
      const found = listIn(name, answer, 'data').flatMap((bucket) => {
        const day = dayIn(name, startOf(bucket));
        return listIn(name, bucket, 'results').map((result) => read(result, day));
      });
      return {
        lines: found.flatMap(({ lines }) => lines),
        uses: found.flatMap(({ uses }) => uses),
        ...nextPage(path, answer),
      };
    },
  };
}

/** The path of the next page, for reports with `has_more` and `next_page`. */
function nextPage(path: string, answer: unknown): { next?: string } {
  if (!isMembers(answer) || answer['has_more'] !== true || typeof answer['next_page'] !== 'string') return {};
  const [plain = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('page', answer['next_page']);
  return { next: `${plain}?${parameters.toString()}` };
}

const dayForm = /^\d{4}-\d\d-\d\d/;

/** The UTC day at the beginning of a time. */
export function dayIn(name: string, time: unknown): string {
  const day = typeof time === 'string' ? dayForm.exec(time)?.[0] : undefined;
  return day ?? unreadable(name, 'it has an amount without a day');
}

/** Throws unless the amount is in dollars. */
export function checkDollars(name: string, currency: unknown): void {
  if (typeof currency === 'string' && currency.toLowerCase() === 'usd') return;
  unreadable(name, 'it has an amount that is not in USD');
}
