import { errorTable, namesOf, paidOperations } from '@tallyport/contracts';
import { requestOrders, type RequestOutcomeName, requestOutcomeNames, requestOutcomes } from '@tallyport/management';
import { hidden, type Html, html } from '@tallyport/pages';
import { requestColumns } from './columns.ts';
import { type FilterName, filterTitles, type ListView, listAddress } from './filters.ts';
import type { Suggestions } from './suggestions.ts';

interface FilterForm {
  base: string;
  view: ListView;
  /** The text of the field of the key. */
  keyText: string | undefined;
  projects: readonly { id: string; name: string }[];
  suggestions: Suggestions;
  /** What is wrong with the filters. */
  problem: string | undefined;
}

/** The filters of the list. Those that are seldom needed are folded away; the list names all that are set. */
export const filterForm = ({ base, view, keyText, projects, suggestions, problem }: FilterForm): Html => {
  const values: Partial<Record<string, string>> = { ...view.filters, key: keyText, sort: view.sort };
  const rare = rareFields({ projects, suggestions });
  const shown = (fields: readonly FilterField[]) => fields.map((field) => filterPart(field, values[field.name] ?? ''));
  return html`<form
    class="filter-panel panel"
    role="search"
    aria-label="Filter requests"
    method="get"
    action="${base}/requests"
  >
    <div class="fields">
      ${shown(commonFields(suggestions))}
      <div class="form-actions">
        <button>Filter</button>
        ${
          Object.keys(view.filters).length > 0 &&
          html`<a class="button plain" href="${listAddress(base, { ...view, filters: {} })}">Clear</a>`
        }
      </div>
    </div>
    <details ${problem !== undefined && html`open`}>
      <summary>More filters</summary>
      <div class="fields">${shown(rare)}</div>
    </details>
    <details>
      <summary>What the outcomes mean</summary>
      <dl class="facts small">${requestOutcomeNames.map(meaningPart)}</dl>
    </details>
    ${Object.entries(keptBeside(view)).map(([name, text]) => hidden(name, text))}
  </form>`;
};

const meaningPart = (name: RequestOutcomeName): Html =>
  html`<dt>${requestOutcomes[name].word}</dt>
    <dd>${requestOutcomes[name].meaning}</dd>`;

/** What the form does not change. */
const keptBeside = ({ periodQuery, columns, filters: { member } }: ListView): Record<string, string> => ({
  ...periodQuery,
  ...(member !== undefined && { member }),
  ...(columns !== undefined && { columns }),
});

type Choice = readonly [value: string, text: string];

interface FilterField {
  name: FilterName | 'sort';
  label: string;
  /** A text without choices. */
  choices?: readonly Choice[];
  suggestions?: readonly string[];
}

const field = (name: FilterName, more: Partial<FilterField> = {}): FilterField => ({
  name,
  label: filterTitles[name],
  ...more,
});

const commonFields = (suggestions: Suggestions): readonly FilterField[] => [
  field('outcome', {
    choices: [['', 'All'], ...requestOutcomeNames.map((name): Choice => [name, requestOutcomes[name].word])],
  }),
  field('model', { suggestions: suggestions.models }),
  field('provider', { suggestions: suggestions.providers }),
  field('key', { suggestions: suggestions.keys }),
];

const rareFields = ({ projects, suggestions }: Pick<FilterForm, 'projects' | 'suggestions'>): FilterField[] => [
  field('tried', { suggestions: suggestions.providers }),
  field('failed_at', { suggestions: suggestions.providers }),
  ...(projects.length > 0 ? [projectField(projects)] : []),
  field('end_user', { suggestions: suggestions.endUsers }),
  field('operation', {
    choices: [['', 'All'], ...namesOf(paidOperations).map((name): Choice => [name, paidOperations[name].title])],
  }),
  field('error', {
    choices: [['', 'All'], ['any', 'Any error'], ...Object.keys(errorTable).map((code): Choice => [code, code])],
  }),
  field('status'),
  field('cached', {
    choices: [
      ['', 'All'],
      ['true', 'Yes'],
      ['false', 'No'],
    ],
  }),
  field('cost_over'),
  field('id'),
  {
    name: 'sort',
    label: 'Sorted by',
    choices: requestOrders.map((order) => [order === 'time' ? '' : order, requestColumns[order].title]),
  },
];

const projectField = (projects: FilterForm['projects']): FilterField =>
  field('project', {
    choices: [['', 'All'], ['none', 'No project'], ...projects.map(({ id, name }): Choice => [id, name])],
  });

const filterPart = (each: FilterField, value: string): Html =>
  html`<div class="field">
    <label for="${each.name}">${each.label}</label>
    ${each.choices === undefined ? input(each, value) : select(each.name, each.choices, value)}
  </div>`;

const input = ({ name, suggestions = [] }: FilterField, value: string): Html =>
  html`<input
      id="${name}"
      name="${name}"
      type="text"
      value="${value}"
      autocomplete="off"
      ${suggestions.length > 0 && html`list="${name}-suggestions"`}
    />
    ${
      suggestions.length > 0 &&
      html`<datalist id="${name}-suggestions">
        ${suggestions.map((text) => html`<option value="${text}"></option>`)}
      </datalist>`
    }`;

/** Shows the current value even if it is none of the choices, such as a deleted project. */
function select(name: string, choices: readonly Choice[], value: string): Html {
  const isKnown = choices.some(([choice]) => choice === value);
  const all = isKnown ? choices : [...choices, [value, value] as const];
  return html`<select id="${name}" name="${name}">
    ${all.map(
      ([choice, text]) => html`<option value="${choice}" ${choice === value && html`selected`}>${text}</option>`,
    )}
  </select>`;
}
