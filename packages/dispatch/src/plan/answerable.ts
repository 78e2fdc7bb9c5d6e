import { GatewayError, type OwnModality } from '@tallyport/contracts';
import type { ProviderPreferences } from '@tallyport/wire';
import { type PriceKind, priceKinds, sortedBy } from './preferences.ts';

type Sort = NonNullable<ReturnType<typeof sortedBy>>;

/** What is known of the offers of a kind of request, so that a preference of it can be kept. */
interface Answerable {
  sorts: readonly Sort[];
  prices: readonly PriceKind[];
}

/** No other preference has a limit: which provider answers can be said of every request. */
const byTexts: Answerable = { sorts: ['price'], prices: ['prompt', 'request'] };
/** Prices are per character, per minute or per token, which cannot be compared. */
const ofSounds: Answerable = { sorts: ['latency'], prices: [] };

const answerable: Readonly<Record<OwnModality | 'images', Answerable>> = {
  decisions: byTexts,
  embeddings: byTexts,
  images: { sorts: ['price'], prices: ['prompt', 'request', 'image'] },
  moderations: byTexts,
  rankings: byTexts,
  realtime: ofSounds,
  speech: ofSounds,
  transcriptions: ofSounds,
};

/** Throws `invalid_parameters` that names the first preference about which nothing is known for this kind of request. */
export function refuseUnanswerable(kind: OwnModality | 'images', preferences: ProviderPreferences | undefined): void {
  const member = preferences && unanswerable(answerable[kind], preferences);
  if (member === undefined) return;
  const { sorts, prices } = answerable[kind];
  const most = prices.length === 0 ? '' : `, or \`max_price\` of ${prices.join(', ')}`;
  const message = `The gateway cannot follow '${member}' for ${kind}. Leave it out; possible are \`sort\` by ${sorts.join(', ')}${most}.`;
  throw new GatewayError('invalid_parameters', message, { param: member });
}

function unanswerable({ sorts, prices }: Answerable, preferences: ProviderPreferences): string | undefined {
  const { max_price: most, preferred_min_throughput: least, preferred_max_latency: longest } = preferences;
  const by = sortedBy(preferences);
  if (by !== undefined && !sorts.includes(by)) return 'provider.sort';
  const price = priceKinds.find((kind) => most?.[kind] != null && !prices.includes(kind));
  if (price !== undefined) return `provider.max_price.${price}`;
  if (least != null && !sorts.includes('throughput')) return 'provider.preferred_min_throughput';
  return longest != null && !sorts.includes('latency') ? 'provider.preferred_max_latency' : undefined;
}
