import { badge, copyable, heading, type Heading, type Html, html, panel, table } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import { tryAddress } from '../playground/address.ts';
import { capabilityText } from './capabilities.ts';
import { inputPrice, outputPrice, tokens } from './figures.ts';
import { state, stateOf } from './model-state.ts';

/** One model with all its offers. */
export const modelPage = (base: string, model: CatalogueModel): Html =>
  html`${heading({
    title: model.name,
    text: model.description,
    back: { href: `${base}/models`, text: 'Models' },
    action: tryAction(base, model),
  })}
  ${panel('Facts', html`${facts(model)} ${copyable('Id', model.id)}`)} ${offers(model)}
  ${
    !model.available &&
    html`<p class="quiet">
      An operator sets these variables for the whole installation; an account can also
      <a href="${base}/provider-keys/new">add a provider key</a> of its own.
    </p>`
  }`;

function tryAction(base: string, model: CatalogueModel): Heading['action'] {
  const href = tryAddress(base, [model]);
  return href === undefined ? undefined : { href, text: 'Try it in the playground' };
}

const facts = (model: CatalogueModel): Html =>
  html`<dl class="facts">
    ${fact('State', stateOf(model))} ${fact('Family', model.family)}
    ${model.aliases.length > 0 && fact('Also called', html`<code>${model.aliases.join(', ')}</code>`)}
    ${fact('Reads', model.architecture.input_modalities.join(', '))}
    ${fact('Makes', model.architecture.output_modalities.join(', '))} ${fact('Context', tokens(model.context_length))}
    ${fact('Capabilities', capabilityText(model) || 'none')}
    ${model.deprecated_at !== undefined && fact('Deprecated', model.deprecated_at.slice(0, 10))}
  </dl>`;

const fact = (name: string, value: string | Html): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

const offers = ({ providers }: CatalogueModel): Html =>
  table({
    caption: 'Offers',
    columns: [
      'Provider',
      'Its name for the model',
      { title: 'Input', kind: 'number' },
      { title: 'Output', kind: 'number' },
      'State',
    ],
    rows: providers.map(({ providerId, modelName, pricing, available, unavailable_reason: reason = '' }) => [
      html`<span class="strong">${providerId}</span>`,
      html`<code>${modelName}</code>`,
      inputPrice(pricing),
      outputPrice(pricing),
      available ? badge('callable', 'good') : state(badge('not callable', 'warn'), reason),
    ]),
    empty: 'No provider offers this model.',
  });
