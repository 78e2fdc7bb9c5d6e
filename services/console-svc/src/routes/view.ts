import type { Route } from '@tallyport/contracts';
import type { RouteRecord } from '@tallyport/management';
import { actionsColumn, badge, countUnit, day, heading, type Html, html, percentUnit, table } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import type { Served } from './served.ts';
import { modelsOf, type Obstacles } from './target-state.ts';

interface RoutesPage {
  base: string;
  routes: readonly RouteRecord[];
  obstacles: Obstacles;
  /** Who answered for the routes, by their names; `undefined` if it cannot be read. */
  served: ReadonlyMap<string, Served> | undefined;
  /** Those of the operator that this account does not replace. */
  others: readonly CatalogueModel[];
  /** Whether they are those of the whole account. */
  isOfAll: boolean;
  mayChange: boolean;
}

export const routesPage = ({ base, routes, obstacles, served, isOfAll, others, mayChange }: RoutesPage): Html =>
  html`${heading({
    title: 'Routes',
    text: `Models of your own: a name, and the models that answer for it. ${mayChange ? 'GET /v1/models lists them.' : 'Only an owner can change them.'}`,
    action: mayChange ? { href: `${base}/routes/new`, text: 'Add a route' } : undefined,
  })}
  ${table({
    caption: 'Routes of the account',
    columns: ['Name', 'Targets', 'Otherwise', 'State', actionsColumn],
    rows: routes.map((route) => [
      named(route.name, route.description),
      targetsOf(route, served?.get(route.name), isOfAll),
      otherwiseOf(route),
      stateOf(route, obstacles),
      html`${served && usageLink(base, route.name)} ${explainLink(base, route.name)}
      ${mayChange && changeLinks(base, route.name)}`,
    ]),
    empty: 'There are no routes yet. Add one to give models a name of your own, weights and stand-ins.',
  })}
  ${
    others.length > 0 &&
    html`<div class="heading"><h2>Routes of the operator</h2></div>
      ${table({
        caption: 'Routes of the operator',
        columns: ['Name', 'State', actionsColumn],
        rows: others.map(({ id, description, available }) => [
          named(id, description),
          available ? badge('callable', 'good') : badge('not callable', 'bad'),
          explainLink(base, id),
        ]),
        empty: '',
      })}`
  }`;

const named = (name: string, description: string | undefined): Html =>
  html`<div>
    <span class="strong breaking">${name}</span>
    ${description !== undefined && html`<div class="quiet small">${description}</div>`}
  </div>`;

/** The address of the explanation, from which a route is edited. */
export const explainAddress = (base: string, name: string): string =>
  `${base}/routing?${new URLSearchParams({ model: name }).toString()}`;

const explainLink = (base: string, name: string): Html =>
  html`<a href="${explainAddress(base, name)}" aria-label="Explain ${name}">Explain</a>`;

const usageLink = (base: string, name: string): Html =>
  html`<a href="${base}/routes/${encodeURIComponent(name)}/usage" aria-label="Usage of ${name}">Usage</a>`;

export const editAddress = (base: string, name: string): string => `${base}/routes/${encodeURIComponent(name)}`;

const changeLinks = (base: string, name: string): Html =>
  html`<a href="${editAddress(base, name)}" aria-label="Edit ${name}">Edit</a>
    <a class="bad" href="${editAddress(base, name)}/delete" aria-label="Delete ${name}">Delete</a>`;

function targetsOf({ targets }: Route, served: Served | undefined, isOfAll: boolean): Html {
  const sum = targets.reduce((total, { weight }) => total + weight, 0);
  const isServed = served !== undefined && served.byWeight > 0;
  return lines([
    ...targets.map(({ model, weight }) => {
      const share = html`<code>${model}</code> ${percentUnit.exact(weight / sum)}`;
      return isServed ? html`${share}, served ${percentUnit.exact(served.shares.get(model) ?? 0)}` : share;
    }),
    ...(served === undefined ? [] : [html`<span class="quiet">${countsOf(served, isOfAll)}</span>`]),
  ]);
}

function countsOf({ since, byWeight, others }: Served, isOfAll: boolean): Html {
  const beside = others > 0 && html`, ${countUnit.exact(others)} by conditions or stand-ins`;
  return html`${countUnit.exact(byWeight)} ${!isOfAll && 'of your '}requests by weight${beside} since ${day(since)}`;
}

const otherwiseOf = ({ when, then, shadow }: Route): Html =>
  lines([
    ...when.map(({ use, ...condition }) => html`<code>${use.join(', ')}</code> if <code>${condition.if}</code>`),
    ...(then.length === 0 ? [] : [html`then <code>${then.join(', ')}</code>`]),
    ...(shadow === undefined ? [] : [html`shadow: ${shadow.percent} % to <code>${shadow.model}</code>`]),
  ]);

/** One element, because narrow pages put the parts of a cell beside each other. */
const lines = (parts: readonly Html[]): Html =>
  html`<div>${parts.map((part) => html`<div class="small breaking">${part}</div>`)}</div>`;

function stateOf(route: Route, obstacles: Obstacles): Html {
  const models = modelsOf(route);
  const missing = models.filter((model) => obstacles.get(model) !== undefined);
  if (missing.length === 0) return badge('callable', 'good');
  const isWhole = missing.length === models.length;
  return html`<div>
    ${badge(isWhole ? 'not callable' : 'in part', isWhole ? 'bad' : 'warn')}
    ${lines(missing.map((model) => html`<code>${model}</code>: ${obstacles.get(model)}`))}
  </div>`;
}
