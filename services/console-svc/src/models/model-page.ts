import { badge, copyable, heading, type Heading, type Html, html, panel, requestOf, table } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import { kindOfModel, tryAddress } from '../playground/address.ts';
import { codePart } from '../playground/code-part.ts';
import { capabilityText } from './capabilities.ts';
import { inputPrice, outputPrice, tokens } from './figures.ts';
import { type Measured, measuredPanel } from './measured.ts';
import { state, stateOf } from './model-state.ts';
import { priceChangesPanel, priceSince } from './price-changes.ts';

interface ModelPage {
  base: string;
  publicUrl: string;
  model: CatalogueModel;
  measured: Measured;
  usage: Html;
}

/** One model with its usage and all its offers. */
export const modelPage = ({ base, publicUrl, model, measured, usage }: ModelPage): Html =>
  html`${heading({
    title: model.name,
    text: model.description,
    back: { href: `${base}/models`, text: 'Models' },
    action: tryAction(base, model),
  })}
  ${usage} ${panel('Facts', html`${facts(model)} ${copyable('Id', model.id)}`, routeLink(base, model))} ${offers(model)}
  ${measuredPanel(base, model, measured)} ${code(publicUrl, model)} ${priceChangesPanel(model, Date.now())}
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

/** Other models than these have no explanation. */
const routeKinds = { chat: 'chat', images: 'image', embeddings: 'embeddings' } as const;

function routeLink(base: string, model: CatalogueModel): Html | undefined {
  const made = kindOfModel(model);
  if (made === undefined || made === 'speech' || !model.available) return undefined;
  const query = new URLSearchParams({ model: model.id, kind: routeKinds[made] });
  return html`<a href="${base}/routing?${query.toString()}">Show its route</a>`;
}

function code(url: string, model: CatalogueModel): Html | undefined {
  const kind = kindOfModel(model);
  return kind && codePart(kind, { url, request: requestOf(kind, { model: model.id, prompt: 'Hello' }) });
}

const facts = (model: CatalogueModel): Html =>
  html`<dl class="facts">
    ${fact('State', stateOf(model))} ${fact('Family', model.family)}
    ${model.aliases.length > 0 && fact('Also called', html`<code>${model.aliases.join(', ')}</code>`)}
    ${fact('Input', model.architecture.input_modalities.join(', '))}
    ${fact('Output', model.architecture.output_modalities.join(', '))} ${fact('Context', tokens(model.context_length))}
    ${fact('Capabilities', capabilityText(model) || 'none')}
    ${model.deprecated_at !== undefined && fact('Deprecated', model.deprecated_at.slice(0, 10))}
  </dl>`;

const fact = (name: string, value: string | Html): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

const offers = ({ providers }: CatalogueModel): Html =>
  html`<h2>Offers</h2>
    ${table({
      caption: 'Offers',
      columns: [
        'Provider',
        'Model name at the provider',
        { title: 'Input', kind: 'number' },
        { title: 'Output', kind: 'number' },
        'Price since',
        'State',
      ],
      rows: providers.map(
        ({ providerId, modelName, pricing, available, unavailable_reason: reason = '', ...origin }) => [
          html`<span class="strong">${providerId}</span>`,
          html`<code>${modelName}</code>`,
          inputPrice(pricing),
          outputPrice(pricing),
          priceSince(origin),
          available ? badge('callable', 'good') : state(badge('not callable', 'warn'), reason),
        ],
      ),
      empty: 'No provider offers this model.',
    })}`;
