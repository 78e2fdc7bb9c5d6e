import type { AlertCondition, ConditionOf } from '@tallyport/management';
import { dollarUnit, timeUnit } from '@tallyport/pages';

export const conditionTypes = [
  'budget',
  'daily_cost',
  'error_rate',
  'latency',
  'provider_uptime',
  'key_expiry',
  'vendor_difference',
] as const;

export type ConditionType = (typeof conditionTypes)[number];

/** What each type is about. */
export const conditionTitles: Readonly<Record<ConditionType, { title: string; text: string }>> = {
  budget: {
    title: 'A budget is nearly spent',
    text: 'The account, a project or a key has spent a part of its budget.',
  },
  daily_cost: {
    title: 'A day costs a lot',
    text: 'The account, a project or a key has cost more than an amount since midnight UTC.',
  },
  error_rate: {
    title: 'Requests fail',
    text: 'Too many requests end with an error: all together, of one model or key, or of each.',
  },
  latency: { title: 'Answers are slow', text: 'The p95 of all requests, or of those for a model, is above a limit.' },
  provider_uptime: { title: 'A provider fails', text: 'Calls of a provider fail. Calls of all accounts count.' },
  key_expiry: { title: 'A key expires', text: 'An API key stops working soon.' },
  vendor_difference: {
    title: 'The ledger differs from a bill',
    text: 'The newest comparison with the bill of a vendor found a difference.',
  },
};

/** Return the name for an id. */
export interface OwnerNames {
  project(id: string): string;
  key(id: string): string;
}

/** A condition in a few words. */
export function conditionText(condition: AlertCondition, names: OwnerNames): string {
  switch (condition.type) {
    case 'budget':
      return `${condition.percent} % of the budget of ${ownerText(condition, names)} is spent`;
    case 'provider_uptime':
      return `Less than ${condition.below} % of the calls of ${condition.provider ?? 'a provider'} succeed ${during(condition.hours)}`;
    case 'error_rate':
      return `More than ${condition.above} % of ${failingText(condition, names)} fail ${during(condition.hours)}`;
    case 'key_expiry':
      return `${condition.key === undefined ? 'A key' : `The key ${names.key(condition.key)}`} expires within ${condition.days === 1 ? 'a day' : `${condition.days} days`}`;
    case 'vendor_difference':
      return `The ledger differs from the bill of ${condition.vendor ?? 'a vendor'} by more than ${condition.above} %`;
    case 'latency':
      return `The p95 of ${requestsText(condition.model)} is above ${timeUnit.exact(condition.above)} ${during(condition.hours)}`;
    case 'daily_cost':
      return `${capital(ownerText(condition, names))} costs more than ${dollarUnit.exact(condition.above)} in a day`;
    default:
      return condition satisfies never;
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const requestsText = (model: string | undefined): string =>
  model === undefined ? 'requests' : `requests for ${model}`;

function failingText({ model, key, per }: ConditionOf<'error_rate'>, names: OwnerNames): string {
  const of = key === undefined ? '' : ` with the key ${names.key(key)}`;
  const each = per === undefined ? '' : ` of a ${per}`;
  return `${requestsText(model)}${of}${each}`;
}

function ownerText({ scope, id }: ConditionOf<'budget' | 'daily_cost'>, names: OwnerNames): string {
  if (scope === 'account') return 'the account';
  return id === undefined ? `a ${scope}` : `the ${scope} ${names[scope](id)}`;
}

const during = (hours: number): string => (hours === 1 ? 'in an hour' : `in ${hours} hours`);
