import { chooser, type Html } from '@tallyport/pages';
import { type Filters, listAddress, type ListView } from './filters.ts';

/** Ready-made lists. */
const views: readonly { text: string; filters: Filters; sort?: string }[] = [
  { text: 'All', filters: {} },
  { text: 'Failed', filters: { outcome: 'failed' } },
  { text: 'Failed over', filters: { outcome: 'failed_over' } },
  { text: 'Refused', filters: { outcome: 'refused' } },
  { text: 'Client left', filters: { outcome: 'client_left' } },
  { text: 'Dearest', filters: {}, sort: 'cost' },
  { text: 'Slowest', filters: {}, sort: 'duration' },
];

/** Links to the ready-made lists, with the period and the columns that are shown now. */
export const viewLinks = (base: string, current: ListView): Html =>
  chooser(
    'Show',
    views.map(({ text, filters, sort }) => {
      const href = listAddress(base, { ...current, filters, sort });
      return { text, href, chosen: href === listAddress(base, current) };
    }),
  );
