import { type Html, html, panel, percentUnit, table } from '@tallyport/pages';
import type { ExplainedRoute } from '../gateway/explained-route.ts';

type NamedRoute = NonNullable<ExplainedRoute['routes']>[number];

/** What the named routes of a request decided: their conditions, and the weights of their targets. */
export const namedRoutes = ({ routes = [] }: ExplainedRoute): Html => html`${routes.map(namedRoute)}`;

const namedRoute = (route: NamedRoute): Html =>
  panel(
    `Named route ${route.name}`,
    html`<div class="flush">${route.conditions.length > 0 && conditionTable(route)} ${targetTable(route)}</div>`,
    `Asked in this order: ${route.models.map(({ model }) => model).join(', ')}.`,
  );

const results: Readonly<Record<NamedRoute['conditions'][number]['result'], string>> = {
  true: 'true: decides',
  false: 'false',
  failed: 'failed, counts as false',
  not_evaluated: 'not evaluated',
};

const conditionTable = ({ name, conditions }: NamedRoute): Html =>
  table({
    caption: `Conditions of ${name}`,
    columns: ['Condition', 'Models', 'Result'],
    rows: conditions.map(({ if: text, use, result, problem }) => [
      html`<code>${text}</code>`,
      use.join(', '),
      problem === undefined ? results[result] : `${results[result]}: ${problem}`,
    ]),
    empty: '',
  });

const targetTable = ({ name, targets }: NamedRoute): Html =>
  table({
    caption: `Targets of ${name}`,
    columns: ['Target', { title: 'Weight', kind: 'number' }, { title: 'Share', kind: 'number' }, 'Chosen'],
    rows: targets.map(({ model, weight, share, chosen }) => [
      model,
      String(weight),
      percentUnit.exact(share),
      chosen ? 'for this conversation' : '',
    ]),
    empty: '',
  });
