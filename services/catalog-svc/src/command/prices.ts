import type { OfferPrices } from '@tallyport/contracts';
import { parsedWords } from '@tallyport/service-kit';
import { type PriceChange, priceChanges } from '../prices/price-changes.ts';
import type { CatalogueAdministration } from './administration.ts';

type PricesCommand = (catalogue: CatalogueAdministration) => Promise<string>;

const options = {
  since: { type: 'string' },
  version: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const usualDays = 90;
const dayMs = 86_400_000;

/** Parses the words after `prices`; `undefined` if they are not valid. */
export function pricesCommand(words: readonly string[]): PricesCommand | undefined {
  const { version, since, json } = parsedWords(words, { options })?.values ?? {};
  if (json === undefined || (version !== undefined && since !== undefined)) return undefined;
  if (version !== undefined) return (catalogue) => showVersion(catalogue, version, json);
  const from = since === undefined ? Date.now() - usualDays * dayMs : Date.parse(since);
  return Number.isNaN(from) ? undefined : (catalogue) => showChanges(catalogue, new Date(from), json);
}

async function showChanges(catalogue: CatalogueAdministration, since: Date, json: boolean): Promise<string> {
  const found = await catalogue.snapshot({});
  const changes = priceChanges(found).filter(({ from }) => Date.parse(from) >= since.getTime());
  const isComing = ({ from }: PriceChange) => Date.parse(from) > Date.now();
  const changed = changes.filter((change) => !isComing(change));
  const coming = changes.filter(isComing);
  const { version } = found;
  if (json) return `${JSON.stringify({ version, since: since.toISOString(), changed, coming }, undefined, 2)}\n`;
  const day = since.toISOString().slice(0, 10);
  const past =
    changed.length === 0 ? `No price has changed since ${day}.\n` : `Changed since ${day}:\n${lines(changed)}`;
  const future = coming.length === 0 ? 'No change is known to come.\n' : `Will change:\n${lines(coming)}`;
  return `${past}\n${future}\nThe catalogue in force is ${version}.\n`;
}

const lines = (changes: readonly PriceChange[]): string => changes.map(line).join('');

const line = ({ from, model, provider, class: name, old = 'none', new: now = 'none', source }: PriceChange): string =>
  `${dayOf(from)}  ${model}  ${provider}  ${name}  ${old} → ${now}${source === undefined ? '' : `  ${source}`}\n`;

/** A date stands for its midnight. */
const dayOf = (moment: string): string => moment.replace('T00:00:00Z', '');

async function showVersion(catalogue: CatalogueAdministration, version: string, json: boolean): Promise<string> {
  const list = await catalogue.priceList({ version });
  return json ? `${JSON.stringify(list, undefined, 2)}\n` : list.prices.map(offerLine).join('');
}

function offerLine({ model, provider, pricing, priceTiers, tiers, priceSince, priceSource }: OfferPrices): string {
  const prices = Object.entries(pricing).map(([kind, price]) => `${kind} ${price}`);
  const further = [...(priceTiers ?? []), ...Object.values(tiers ?? {})].length;
  const origin = [priceSince && `since ${dayOf(priceSince)}`, priceSource].filter(Boolean).join(', ');
  const more = further === 0 ? '' : `  and ${further} further lists, see --json`;
  return `${model}  ${provider}  ${prices.join(', ')}${more}${origin && `  (${origin})`}\n`;
}
