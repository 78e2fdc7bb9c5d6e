import type { Catalogue, CatalogueOverride } from '@tallyport/contracts';
import { type Kit, throttledLog } from '@tallyport/service-kit';
import type { FileError } from '@tallyport/wire/yaml';

export interface CatalogEvents {
  loaded(catalogue: Catalogue): void;
  listed(status: 200 | 304): void;
  operatorFileLoaded(file: string): void;
  operatorFileRefused(error: FileError): void;
  overrideChanged(change: 'set' | 'removed', override: Pick<CatalogueOverride, 'kind' | 'id'>): void;
  overrideIgnored(override: Pick<CatalogueOverride, 'kind' | 'id'>, problem: string): void;
  databaseUnavailable(error: unknown): void;
  modelsNotListed(provider: string, error: unknown): void;
}

/** Metrics and logs of this service. Each event is counted and logged once. */
export function catalogEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): CatalogEvents {
  const lists = metrics.counter({
    name: 'gateway_model_lists_total',
    help: 'Model lists served. 304 means that the client had the current one.',
    labels: { status: ['200', '304'] },
  });
  const models = metrics.gauge({ name: 'gateway_catalogue_models', help: 'Models in the catalogue.' });
  const refused = metrics.gauge({
    name: 'gateway_catalogue_file_refused',
    help: '1 while the operator file is invalid and its previous version is in force.',
  });
  const warn = throttledLog(log);
  return {
    loaded({ version, models: all }) {
      models.with().set(all.length);
      const offers = all.reduce((count, { offers: those }) => count + those.length, 0);
      log.info({ version, models: all.length, offers }, 'catalogue loaded');
    },
    // Edge already logs every request.
    listed: (status) => lists.with({ status: String(status) }).increment(),
    operatorFileLoaded(file) {
      refused.with().set(0);
      log.info({ file }, 'operator file loaded');
    },
    operatorFileRefused({ message }) {
      refused.with().set(1);
      log.error({ problem: message }, 'operator file refused, keeping the last valid one');
    },
    overrideChanged: (change, { kind, id }) => log.info({ change, kind, id }, 'override changed'),
    overrideIgnored: ({ kind, id }, problem) => warn(`${kind} ${id}`, { kind, id, problem }, 'override ignored'),
    modelsNotListed: (provider, error) =>
      warn(`models of ${provider}`, { provider, error }, 'a server did not list its models, keeping its last list'),
    databaseUnavailable: (error) => warn('database', { error }, 'database unavailable, keeping the last overrides'),
  };
}
