import type { AlertCondition, ConditionOf } from '@tallyport/management';

export const conditionTypes = ['budget', 'provider_uptime', 'error_rate', 'key_expiry'] as const;

export type ConditionType = (typeof conditionTypes)[number];

/** What each type is about. */
export const conditionTitles: Readonly<Record<ConditionType, { title: string; text: string }>> = {
  budget: {
    title: 'A budget is nearly spent',
    text: 'The account, a project or a key has spent a part of its budget.',
  },
  provider_uptime: { title: 'A provider is ill', text: 'Calls of a provider fail. Calls of all accounts count.' },
  error_rate: { title: 'Requests fail', text: 'Too many requests of this account end with an error.' },
  key_expiry: { title: 'A key expires', text: 'An API key stops working soon.' },
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
      return `More than ${condition.above} % of requests${condition.model === undefined ? '' : ` for ${condition.model}`} fail ${during(condition.hours)}`;
    case 'key_expiry':
      return `${condition.key === undefined ? 'A key' : `The key ${names.key(condition.key)}`} expires within ${condition.days === 1 ? 'a day' : `${condition.days} days`}`;
    default:
      return condition satisfies never;
  }
}

function ownerText({ scope, id }: ConditionOf<'budget'>, names: OwnerNames): string {
  if (scope === 'account') return 'the account';
  return id === undefined ? `a ${scope}` : `the ${scope} ${names[scope](id)}`;
}

const during = (hours: number): string => (hours === 1 ? 'in an hour' : `in ${hours} hours`);
