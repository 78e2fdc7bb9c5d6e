import type { UsageDimension } from '@tallyport/management';
import { chooser, type Html } from '@tallyport/pages';
import type { Period } from '../screen/period.ts';
import { dimensionTitles } from './groups.ts';

interface Grouping {
  base: string;
  period: Period;
  chosen: UsageDimension | 'end_user';
  /** Names of end users are for admins only. */
  hasEndUsers: boolean;
}

/** What usage is grouped by. End users have a page of their own, because their sums have no filters. */
export const groupingChooser = (
  { base, period, chosen, hasEndUsers }: Grouping,
  addressOf: (by: string) => string,
): Html =>
  chooser('Grouped by', [
    ...Object.entries(dimensionTitles).map(([by, text]) => ({ text, chosen: by === chosen, href: addressOf(by) })),
    ...(hasEndUsers
      ? [
          {
            text: 'End user',
            chosen: chosen === 'end_user',
            href: `${base}/end-users?${new URLSearchParams(period.query).toString()}`,
          },
        ]
      : []),
  ]);
