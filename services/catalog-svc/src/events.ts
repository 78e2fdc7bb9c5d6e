import type { Catalogue } from '@switchyard/contracts';
import type { Kit } from '@switchyard/service-kit';

export interface CatalogEvents {
  loaded(catalogue: Catalogue): void;
  listed(status: 200 | 304): void;
}

/** What happens here, each counted and logged once. */
export function catalogEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): CatalogEvents {
  const lists = metrics.counter({
    name: 'gateway_model_lists_total',
    help: 'Model lists answered; 304 means the client had it already.',
    labels: { status: ['200', '304'] },
  });
  const models = metrics.gauge({ name: 'gateway_catalogue_models', help: 'Models in the catalogue.' });
  return {
    loaded({ version, models: all }) {
      models.with().set(all.length);
      const offers = all.reduce((count, { offers: those }) => count + those.length, 0);
      log.info({ version, models: all.length, offers }, 'catalogue loaded');
    },
    // Edge logs every request; a list needs no second line.
    listed: (status) => lists.with({ status: String(status) }).increment(),
  };
}
