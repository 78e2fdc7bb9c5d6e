import { actionsColumn, chooser, heading, hidden, type Html, html, type HtmlContent, table } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import { capabilities, capabilityText } from './capabilities.ts';
import { tryAddress } from '../playground/address.ts';
import { type ComparedModel, comparisonPart } from './comparison.ts';
import { inputPrice, outputPrice, tokens } from './figures.ts';
import { modelAddress } from '../screen/model-address.ts';
import {
  type ModelFilter,
  modelOrders,
  modelParameters,
  modelsAddress,
  mostCompared,
  pageSize,
} from './model-filter.ts';
import { costCells, costColumns, type GroupCosts } from '../usage/group-costs.ts';
import { stateOf } from './model-state.ts';

interface ModelsPage {
  base: string;
  filter: ModelFilter;
  /** All that the filter finds. */
  found: readonly CatalogueModel[];
  /** `undefined` if they cannot be read. */
  costs: GroupCosts | undefined;
  compared: readonly ComparedModel[];
  /** What one can filter by. */
  choices: { providers: readonly string[]; outputs: readonly string[] };
}

export const modelsPage = (page: ModelsPage): Html =>
  html`${heading({
    title: 'Models',
    text: 'The models of the catalogue, their prices in USD for a million tokens, and what is missing to call them.',
  })}
  ${comparisonPart(page)} ${controls(page)} ${list(page)} ${pages(page)}`;

const controls = (page: ModelsPage): Html => {
  const { base, filter, found } = page;
  return html`<div class="choosers">
      ${chooser(
        'Models',
        [true, false].map((onlyCallable) => ({
          text: onlyCallable ? 'Callable now' : 'All',
          chosen: onlyCallable === filter.onlyCallable,
          href: modelsAddress(base, { ...filter, onlyCallable, page: 1 }),
        })),
      )}
      <p class="quiet small count" role="status">${found.length} ${found.length === 1 ? 'model' : 'models'}</p>
    </div>
    ${filterForm(page)}`;
};

function filterForm({ base, filter, choices }: ModelsPage): Html {
  const {
    q: _q,
    can: _can,
    makes: _makes,
    provider: _provider,
    order: _order,
    page: _page,
    ...kept
  } = modelParameters(filter);
  return html`<form class="filters" role="search" method="get" action="${base}/models">
    <input
      type="search"
      name="q"
      aria-label="Search models"
      placeholder="Name, id or family"
      value="${filter.search}"
      maxlength="100"
    />
    ${select({ name: 'can', label: 'Capability', any: 'Any capability', chosen: filter.capability }, capabilities)}
    ${select({ name: 'makes', label: 'Output', any: 'Any output', chosen: filter.output }, sameText(choices.outputs))}
    ${select(
      { name: 'provider', label: 'Provider', any: 'Any provider', chosen: filter.provider },
      sameText(choices.providers),
    )}
    ${select({ name: 'order', label: 'Order', chosen: filter.order }, modelOrders)}
    ${Object.entries(kept).map(([name, value]) => hidden(name, value))} <button class="plain">Show</button>
  </form>`;
}

interface Select {
  name: string;
  label: string;
  /** The text for no choice. */
  any?: string;
  chosen: string | undefined;
}

const select = ({ name, label, any, chosen }: Select, options: Readonly<Record<string, string>>): Html =>
  html`<select name="${name}" aria-label="${label}">
    ${any !== undefined && html`<option value="">${any}</option>`}
    ${Object.entries(options).map(
      ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
    )}
  </select>`;

const sameText = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, value]));

const list = (page: ModelsPage): Html =>
  table({
    caption: 'Models',
    columns: [
      'Model',
      'Capabilities',
      { title: 'Context', kind: 'number' },
      { title: 'Input', kind: 'number' },
      { title: 'Output', kind: 'number' },
      'State',
      ...costColumns,
      actionsColumn,
    ],
    rows: shownModels(page.found, page.filter).map((model) => row(page, model)),
    empty: page.filter.onlyCallable
      ? html`No model that can be called now fits.
          <a href="${modelsAddress(page.base, { ...page.filter, onlyCallable: false, page: 1 })}">Search all models</a>,
          or <a href="${page.base}/provider-keys/new">add a provider key</a>.`
      : 'No model fits. Search for another name, or remove a filter.',
  });

/** The models of one page of the list. */
export const shownModels = (
  found: readonly CatalogueModel[],
  { page }: Pick<ModelFilter, 'page'>,
): readonly CatalogueModel[] => found.slice((page - 1) * pageSize, page * pageSize);

const row = ({ base, filter, costs }: ModelsPage, model: CatalogueModel): HtmlContent[] => [
  html`<a class="strong named" href="${modelAddress(base, model.id)}">${model.name}</a
    ><code data-copy>${model.id}</code>`,
  capabilityText(model) && html`<span class="small quiet">${capabilityText(model)}</span>`,
  tokens(model.context_length),
  inputPrice(model.pricing),
  outputPrice(model.pricing),
  stateOf(model),
  ...costCells({ base, by: 'model', id: model.id }, costs),
  html`${tryLink(base, model)} ${compareLink(base, filter, model)}`,
];

function tryLink(base: string, model: CatalogueModel): Html | undefined {
  const href = tryAddress(base, [model]);
  return href === undefined ? undefined : html`<a href="${href}" aria-label="Try ${model.name}">Try</a>`;
}

function compareLink(base: string, filter: ModelFilter, { id, name }: CatalogueModel): Html | false {
  const { compared } = filter;
  const isCompared = compared.includes(id);
  if (!isCompared && compared.length >= mostCompared) return false;
  const others = isCompared ? compared.filter((each) => each !== id) : [...compared, id];
  const text = isCompared ? 'Remove' : 'Compare';
  return html`<a href="${modelsAddress(base, { ...filter, compared: others })}" aria-label="${text} ${name}"
    >${text}</a
  >`;
}

function pages({ base, filter, found }: ModelsPage): Html | undefined {
  const last = Math.ceil(found.length / pageSize);
  if (last <= 1) return undefined;
  const link = (page: number, text: string): Html | false =>
    page >= 1 &&
    page <= last &&
    html`<a class="button plain" href="${modelsAddress(base, { ...filter, page })}">${text}</a>`;
  return html`<nav class="pager" aria-label="Pages">
    ${link(filter.page - 1, 'Previous')} ${link(filter.page + 1, 'Next')}
    <span class="quiet small">Page ${filter.page} of ${last}</span>
  </nav>`;
}
