import type { AlertCondition, ConditionOf } from '@tallyport/management';

/** The subject of a summary: the name of a key, of a project, of a provider or of the account. */
interface Subject {
  name: string;
  value: number;
}

/** What was found, as a sentence. */
export function firedSummary(condition: AlertCondition, { name, value }: Subject): string {
  switch (condition.type) {
    case 'budget':
      return `${budgetOwner(condition, name)} has spent ${percent(value)} of its budget (alert at ${percent(condition.percent)}).`;
    case 'provider_uptime':
      return `${percent(value)} of the calls of ${name} succeeded ${during(condition.hours)} (alert below ${percent(condition.below)}).`;
    case 'error_rate':
      return `${percent(value)} of ${requestsOf(condition)} failed ${during(condition.hours)} (alert above ${percent(condition.above)}).`;
    case 'key_expiry':
      return value > 0 ? `The key ${name} expires in ${daysText(value)}.` : `The key ${name} has expired.`;
    default:
      return condition satisfies never;
  }
}

/** That it is over, as a sentence. */
export function resolvedSummary(condition: AlertCondition, name: string): string {
  switch (condition.type) {
    case 'budget':
      return `${budgetOwner(condition, name)} has spent less than ${percent(condition.percent)} of its budget again, or has none.`;
    case 'provider_uptime':
      return `At least ${percent(condition.below)} of the calls of ${name} succeeded ${during(condition.hours)}.`;
    case 'error_rate':
      return `No more than ${percent(condition.above)} of ${requestsOf(condition)} failed ${during(condition.hours)}.`;
    case 'key_expiry':
      return `The key ${name} no longer expires within ${daysText(condition.days)}, or was revoked.`;
    default:
      return condition satisfies never;
  }
}

const budgetOwner = ({ scope }: ConditionOf<'budget'>, name: string): string => `The ${scope} ${name}`;

const requestsOf = ({ model }: { model?: string | undefined }): string =>
  model === undefined ? 'requests' : `requests for ${model}`;

const percent = (value: number): string => `${value} %`;

const during = (hours: number): string => (hours === 1 ? 'in this hour' : `in the last ${hours} hours`);

function daysText(days: number): string {
  const whole = Math.max(1, Math.ceil(days));
  return whole === 1 ? '1 day' : `${whole} days`;
}
