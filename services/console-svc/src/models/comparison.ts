import { type Html, html, type HtmlContent, panel, table } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import { tryAddress } from '../playground/address.ts';
import { capabilityText } from './capabilities.ts';
import { cachedPrice, inputPrice, outputPrice, tokens } from './figures.ts';
import { bestUptime, medianDuration, firstToken, type Measured, tokenSpeed } from './measured.ts';
import { modelAddress } from '../screen/model-address.ts';
import { type ModelFilter, modelsAddress } from './model-filter.ts';
import { stateOf } from './model-state.ts';

export interface ComparedModel {
  model: CatalogueModel;
  measured: Measured;
}

interface Comparison {
  base: string;
  filter: ModelFilter;
  compared: readonly ComparedModel[];
}

/** The chosen models side by side; nothing if none is chosen. */
export function comparisonPart({ base, filter, compared }: Comparison): Html | undefined {
  if (compared.length === 0) return undefined;
  const none = modelsAddress(base, { ...filter, compared: [] });
  const text = compared.length === 1 ? 'Choose up to three more models below. ' : '';
  const playground = tryAddress(
    base,
    compared.map(({ model }) => model),
  );
  const content = panel(
    'Comparison',
    table({
      caption: 'Comparison of models',
      columns: ['Property', ...compared.map(({ model }) => model.name)],
      rows: rows.map(([title, value]) => [
        html`<span class="quiet">${title}</span>`,
        ...compared.map(({ model, measured }) => value(model, { base, filter, measured })),
      ]),
      empty: '',
    }),
    html`${text}${playground !== undefined && html`<a href="${playground}">Try them in the playground</a> · `}<a
        href="${none}"
        >End the comparison</a
      >`,
  );
  return html`<div class="comparison">${content}</div>`;
}

type Place = Pick<Comparison, 'base' | 'filter'> & Pick<ComparedModel, 'measured'>;

const rows: readonly (readonly [title: string, value: (model: CatalogueModel, place: Place) => HtmlContent])[] = [
  ['Id', ({ id }, { base }) => html`<a href="${modelAddress(base, id)}"><code>${id}</code></a>`],
  ['State', (model) => stateOf(model)],
  ['Input per 1M', ({ pricing }) => inputPrice(pricing)],
  ['Output per 1M', ({ pricing }) => outputPrice(pricing)],
  ['Cached per 1M', ({ pricing }) => cachedPrice(pricing)],
  ['Context', ({ context_length }) => tokens(context_length)],
  ['Maximum output', ({ per_request_limits: { completion_tokens: most } }) => tokens(most ? Number(most) : undefined)],
  ['Input', ({ architecture }) => architecture.input_modalities.join(', ')],
  ['Output', ({ architecture }) => architecture.output_modalities.join(', ')],
  ['Capabilities', (model) => capabilityText(model) || 'none of these'],
  ['Best uptime in 30 days', (_, { measured }) => bestUptime(measured)],
  ['Your p50 in 30 days', (_, { measured }) => medianDuration(measured.total)],
  ['Your first token', (_, { measured }) => firstToken(measured.total)],
  ['Your tokens/s', (_, { measured }) => tokenSpeed(measured.total)],
  ['Providers', ({ providers }) => String(new Set(providers.map(({ providerId }) => providerId)).size)],
  [
    '',
    ({ id, name }, { base, filter }) => {
      const compared = filter.compared.filter((each) => each !== id);
      return html`<a href="${modelsAddress(base, { ...filter, compared })}" aria-label="Remove ${name}">Remove</a>`;
    },
  ],
];
