import { basename } from 'node:path';
import { asOverrides, type DocumentChanges, type Origin } from '../refresh/as-overrides.ts';
import { type Difference, findDifferences } from '../refresh/differences.ts';
import { readModelsDev } from '../refresh/models-dev.ts';
import { findNewOffers, type NewOffer } from '../refresh/new-offers.ts';
import { readDocument } from '../refresh/read-document.ts';
import type { CatalogueAdministration } from './administration.ts';

/** Shows how a document differs from the catalogue; with `apply`, stores the differences as overrides. */
export async function refresh(catalogue: CatalogueAdministration, place: string, apply: boolean): Promise<string> {
  const foreign = readModelsDev(await readDocument(place));
  const ours = await catalogue.snapshot({});
  const changes = { differences: findDifferences(ours, foreign), newOffers: findNewOffers(ours, foreign.offers()) };
  const { differences, newOffers } = changes;
  if (differences.length + newOffers.length === 0) return 'No differences.\n';
  const shown = [...differences.map(difference), ...newOffers.map(newOffer)].join('');
  if (!apply) return `${shown}\n${count(changes, 'differ', 'new')}. To take them over, add --apply.\n`;
  const { overrides } = await catalogue.listOverrides({});
  for (const override of asOverrides(changes, overrides, originOf(place))) await catalogue.setOverride(override);
  return `${shown}\n${count(changes, 'taken over', 'added')}.\n`;
}

function count({ differences, newOffers }: DocumentChanges, changed: string, added: string): string {
  const models = new Set(newOffers.flatMap(({ isModel, modelId }) => (isModel ? [modelId] : []))).size;
  const fresh = `${newOffers.length} ${added}${models === 0 ? '' : ` (${models} of them models)`}`;
  if (newOffers.length === 0) return `${differences.length} ${changed}`;
  return differences.length === 0 ? fresh : `${differences.length} ${changed}, ${fresh}`;
}

const difference = ({ modelId, providerId, member, ours = 'unknown', theirs }: Difference): string =>
  `${modelId}  ${providerId}  ${member}  ${ours} → ${text(theirs)}\n`;

function newOffer({ modelId, isModel, offer, features }: NewOffer): string {
  const { providerId, modelName, pricing, contextLength, maxOutput } = offer;
  const figures = { ...pricing, ...(contextLength && { contextLength }), ...(maxOutput && { maxOutput }) };
  const listed = Object.entries(figures).map(([member, figure]) => `${member} ${figure}`);
  return `${modelId}  ${providerId}  new ${isModel ? 'model' : 'offer'} ${modelName}  ${listed.join(', ')}  ${features.join(' ')}\n`;
}

const text = (value: Difference['theirs']): string => {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** The host or file name only: a URL may contain keys and names. */
function originOf(place: string): Origin {
  const source = URL.canParse(place) ? new URL(place).host : basename(place);
  return { source, asOf: new Date().toISOString().slice(0, 10) };
}
