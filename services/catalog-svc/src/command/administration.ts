import type { createClient } from '@tallyport/bus';
import type { catalogService } from '@tallyport/contracts';

type CatalogClient = ReturnType<typeof createClient<(typeof catalogService)['operations']>>;

/** What an operator can do with the catalogue, wherever it is stored. */
export interface CatalogueAdministration extends Pick<
  CatalogClient,
  'listOverrides' | 'priceList' | 'removeOverride' | 'setOverride' | 'snapshot'
> {
  close(): Promise<void>;
}
