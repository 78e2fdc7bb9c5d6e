import type { Offer } from '@tallyport/contracts';
import type { ChatProvider } from '../../spec/provider.ts';
import type { CanonicalName } from './canonical-requests.ts';
import type { FurtherName } from './further-requests.ts';

/** One provider's requests for each of the canonical requests. A provider whose models differ has several columns. */
export interface Column {
  title: string;
  provider: ChatProvider;
  /** The requested model, and the other members of the offer that the provider uses. */
  offer: Partial<Offer> & Pick<Offer, 'modelName'>;
  /** The body for each request, or the refusal. */
  bodies: Readonly<Record<CanonicalName, Cell>>;
  /** The same for the further requests; absent if the documentation was not read for them yet. */
  further?: FurtherBodies;
}

export type FurtherBodies = Readonly<Record<FurtherName, Cell>>;

type Cell = Readonly<Record<string, unknown>> | Refusal;

export interface Refusal {
  refused: string;
  param: string | undefined;
}
