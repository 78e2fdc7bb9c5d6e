import type { Offer } from '@switchyard/contracts';
import type { ChatProvider } from '../../provider.ts';
import type { CanonicalName } from './canonical-requests.ts';

/** What one provider sends for each of the canonical requests. A provider whose models differ has several. */
export interface Column {
  title: string;
  provider: ChatProvider;
  /** The model it is asked for, and what else the provider goes by. */
  offer: Partial<Offer> & Pick<Offer, 'modelName'>;
  /** The body for each request, or why it is refused. */
  bodies: Readonly<Record<CanonicalName, Readonly<Record<string, unknown>> | Refusal>>;
}

export interface Refusal {
  refused: string;
  param: string | undefined;
}
