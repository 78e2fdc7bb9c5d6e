import { paidOperations } from '@tallyport/contracts';
import { requestOutcomes } from '@tallyport/management';
import { chips, type Html } from '@tallyport/pages';
import { type FilterName, filterTitles, listAddress, type ListView, withoutFilter } from './filters.ts';

interface FilterChips {
  base: string;
  view: ListView;
  /** Returns the name of the key, project or member with an id. */
  nameOf(filter: 'key' | 'project' | 'member', id: string): string;
}

/** The filters of the list in words, each with a link that removes it. */
export const filterChips = ({ base, view, nameOf }: FilterChips): Html | false =>
  chips(
    (Object.entries(view.filters) as [FilterName, string][]).map(([name, value]) => ({
      name: filterTitles[name],
      value: name === 'key' || name === 'project' || name === 'member' ? nameOf(name, value) : textOf(name, value),
      without: listAddress(base, withoutFilter(view, name)),
    })),
  );

/** The text of a value that is chosen from a list; others are shown as they are. */
function textOf(name: FilterName, value: string): string {
  const known: Partial<Record<FilterName, Readonly<Record<string, string>>>> = choiceTexts;
  const texts = known[name];
  return texts && Object.hasOwn(texts, value) ? (texts[value] ?? value) : value;
}

const choiceTexts = {
  outcome: textsIn(requestOutcomes, ({ word }) => word),
  operation: textsIn(paidOperations, ({ title }) => title),
  error: { any: 'any' },
  cached: { true: 'yes', false: 'no' },
};

function textsIn<Choice>(choices: Readonly<Record<string, Choice>>, textIn: (choice: Choice) => string) {
  return Object.fromEntries(Object.entries(choices).map(([value, choice]) => [value, textIn(choice)]));
}
