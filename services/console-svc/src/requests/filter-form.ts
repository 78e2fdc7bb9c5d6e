import { errorTable, namesOf, paidOperations } from '@tallyport/contracts';
import { type Html, html } from '@tallyport/pages';
import { type FilterName, type Filters, listAddress, recentPeriods } from './filters.ts';

interface FilterForm {
  base: string;
  filters: Filters;
  /** Keys to choose from. */
  keys: readonly { id: string; name: string }[];
  projects: readonly { id: string; name: string }[];
}

/** The filters of the list. Those that are seldom needed are folded away while none of them is set. */
export const filterForm = ({ base, filters, keys, projects }: FilterForm): Html => {
  const shown = (fields: readonly FilterField[]) => fields.map((field) => filterPart(field, filters[field.name] ?? ''));
  const hasRare = rareFields.some(({ name }) => filters[name] !== undefined);
  return html`<form
    class="filter-panel panel padded"
    role="search"
    aria-label="Filter requests"
    method="get"
    action="${base}/requests"
  >
    <div class="fields">${shown(commonFields(keys, projects))}</div>
    <details ${hasRare && html`open`}>
      <summary>More filters</summary>
      <div class="fields">${shown(rareFields)}</div>
    </details>
    <div class="form-actions">
      <button>Filter</button>
      ${Object.keys(filters).length > 0 && html`<a class="button plain" href="${listAddress(base, {})}">Clear</a>`}
    </div>
  </form>`;
};

type Choice = readonly [value: string, text: string];

interface FilterField {
  name: FilterName;
  label: string;
  /** A text without choices. */
  choices?: readonly Choice[];
  isTime?: boolean;
}

const commonFields = (keys: FilterForm['keys'], projects: FilterForm['projects']): readonly FilterField[] => [
  {
    name: 'last',
    label: 'Period',
    choices: [['', 'Last 30 days'], ...Object.entries(recentPeriods).map(([value, { text }]): Choice => [value, text])],
  },
  {
    name: 'key',
    label: 'Key',
    choices: [['', 'All keys'], ...keys.map(({ id, name }): Choice => [id, name])],
  },
  ...(projects.length > 0 ? [projectField(projects)] : []),
  { name: 'model', label: 'Model' },
  { name: 'provider', label: 'Provider' },
  {
    name: 'error',
    label: 'Errors',
    choices: [
      ['', 'With and without'],
      ['any', 'Any error'],
      ...Object.keys(errorTable).map((code): Choice => [code, code]),
    ],
  },
];

const projectField = (projects: FilterForm['projects']): FilterField => ({
  name: 'project',
  label: 'Project',
  choices: [['', 'All'], ['none', 'No project'], ...projects.map(({ id, name }): Choice => [id, name])],
});

const rareFields: readonly FilterField[] = [
  { name: 'from', label: 'From (UTC)', isTime: true },
  { name: 'to', label: 'Before (UTC)', isTime: true },
  {
    name: 'operation',
    label: 'Operation',
    choices: [
      ['', 'All operations'],
      ...namesOf(paidOperations).map((name): Choice => [name, paidOperations[name].title]),
    ],
  },
  { name: 'status', label: 'HTTP status' },
  {
    name: 'cached',
    label: 'From the cache',
    choices: [
      ['', 'With and without'],
      ['true', 'Only from the cache'],
      ['false', 'Not from the cache'],
    ],
  },
  { name: 'cost_over', label: 'Cost over (USD)' },
  { name: 'id', label: 'Request id' },
];

const filterPart = (field: FilterField, value: string): Html =>
  html`<div class="field">
    <label for="${field.name}">${field.label}</label>
    ${field.choices === undefined ? input(field, value) : select(field.name, field.choices, value)}
  </div>`;

/** Browsers show only times without a zone in such a field. */
const input = ({ name, isTime = false }: FilterField, value: string): Html =>
  html`<input
    id="${name}"
    name="${name}"
    type="${isTime ? 'datetime-local' : 'text'}"
    value="${isTime ? value.replace(/(:\d\d)?(\.\d+)?Z$/, '') : value}"
    autocomplete="off"
  />`;

/** Shows the current value even if it is none of the choices, such as a key of another member. */
function select(name: FilterName, choices: readonly Choice[], value: string): Html {
  const isKnown = choices.some(([choice]) => choice === value);
  const all = isKnown ? choices : [...choices, [value, value] as const];
  return html`<select id="${name}" name="${name}">
    ${all.map(
      ([choice, text]) => html`<option value="${choice}" ${choice === value && html`selected`}>${text}</option>`,
    )}
  </select>`;
}
