import type { AlertCondition, ConditionOf } from '@tallyport/management';

/** The subject of a summary: the name of a key, of a project, of a model, of a provider or of the account. */
interface Subject {
  name: string;
  value: number;
}

/** What was found, as a sentence. */
export function firedSummary(condition: AlertCondition, { name, value }: Subject): string {
  switch (condition.type) {
    case 'budget':
      return `${owner(condition, name)} has spent ${percent(value)} of its budget (alert at ${percent(condition.percent)}).`;
    case 'provider_uptime':
      return `${percent(value)} of the calls of ${name} succeeded ${during(condition.hours)} (alert below ${percent(condition.below)}).`;
    case 'error_rate':
      return `${percent(value)} of ${failingOf(condition, name)} failed ${during(condition.hours)} (alert above ${percent(condition.above)}).`;
    case 'key_expiry':
      return value > 0 ? `The key ${name} expires in ${daysText(value)}.` : `The key ${name} has expired.`;
    case 'vendor_difference':
      return `The ledger differs from the bill of ${name} by ${percent(value)} (alert above ${percent(condition.above)}).`;
    case 'latency':
      return `The p95 of ${requestsOf(condition)} was ${timeText(value)} ${during(condition.hours)} (alert above ${timeText(condition.above)}).`;
    case 'daily_cost':
      return `${owner(condition, name)} has cost ${moneyText(value)} today (alert above ${moneyText(condition.above)}).`;
    default:
      return condition satisfies never;
  }
}

/** That it is over, as a sentence. */
export function resolvedSummary(condition: AlertCondition, name: string): string {
  switch (condition.type) {
    case 'budget':
      return `${owner(condition, name)} has spent less than ${percent(condition.percent)} of its budget again, or has none.`;
    case 'provider_uptime':
      return `At least ${percent(condition.below)} of the calls of ${name} succeeded ${during(condition.hours)}.`;
    case 'error_rate':
      return `No more than ${percent(condition.above)} of ${failingOf(condition, name)} failed ${during(condition.hours)}.`;
    case 'key_expiry':
      return `The key ${name} no longer expires within ${daysText(condition.days)}, or was revoked.`;
    case 'vendor_difference':
      return `The ledger differs from the bill of ${name} by at most ${percent(condition.above)}.`;
    case 'latency':
      return `The p95 of ${requestsOf(condition)} was at most ${timeText(condition.above)} ${during(condition.hours)}.`;
    case 'daily_cost':
      return `${owner(condition, name)} has cost no more than ${moneyText(condition.above)} today.`;
    default:
      return condition satisfies never;
  }
}

const owner = ({ scope }: ConditionOf<'budget' | 'daily_cost'>, name: string): string => `The ${scope} ${name}`;

/** The requests that an error rate is about, where `name` is that of their key or model. */
function failingOf({ key, model, per }: ConditionOf<'error_rate'>, name: string): string {
  if (per === 'model') return requestsOf({ model: name });
  const requests = requestsOf({ model });
  return per === 'key' || key !== undefined ? `${requests} with the key ${name}` : requests;
}

const requestsOf = ({ model }: { model?: string | undefined }): string =>
  model === undefined ? 'requests' : `requests for ${model}`;

const percent = (value: number): string => `${value} %`;

const timeText = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${Number((ms / 1_000).toPrecision(3))} s`);

const moneyText = (usd: number): string => (usd < 0.01 ? `$${Number(usd.toPrecision(2))}` : `$${usd.toFixed(2)}`);

const during = (hours: number): string => (hours === 1 ? 'in this hour' : `in the last ${hours} hours`);

function daysText(days: number): string {
  const whole = Math.max(1, Math.ceil(days));
  return whole === 1 ? '1 day' : `${whole} days`;
}
