import type { Catalogue, CatalogueOverride } from '@switchyard/contracts';
import { type Kit, throttledLog } from '@switchyard/service-kit';
import type { OperatorFileError } from './operator-file/read-operator-file.ts';

export interface CatalogEvents {
  loaded(catalogue: Catalogue): void;
  listed(status: 200 | 304): void;
  operatorFileTaken(file: string): void;
  operatorFileRefused(error: OperatorFileError): void;
  overrideChanged(change: 'set' | 'removed', override: Pick<CatalogueOverride, 'kind' | 'id'>): void;
  overrideIgnored(override: Pick<CatalogueOverride, 'kind' | 'id'>, problem: string): void;
  databaseAwaited(error: unknown): void;
}

/** What happens here, each counted and logged once. */
export function catalogEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): CatalogEvents {
  const lists = metrics.counter({
    name: 'gateway_model_lists_total',
    help: 'Model lists answered; 304 means the client had it already.',
    labels: { status: ['200', '304'] },
  });
  const models = metrics.gauge({ name: 'gateway_catalogue_models', help: 'Models in the catalogue.' });
  const refused = metrics.gauge({
    name: 'gateway_catalogue_file_refused',
    help: '1 while the operator file is wrong and the one before it is in force.',
  });
  const warn = throttledLog(log);
  return {
    loaded({ version, models: all }) {
      models.with().set(all.length);
      const offers = all.reduce((count, { offers: those }) => count + those.length, 0);
      log.info({ version, models: all.length, offers }, 'catalogue loaded');
    },
    // Edge logs every request; a list needs no second line.
    listed: (status) => lists.with({ status: String(status) }).increment(),
    operatorFileTaken(file) {
      refused.with().set(0);
      log.info({ file }, 'operator file taken');
    },
    operatorFileRefused({ message }) {
      refused.with().set(1);
      log.error({ problem: message }, 'operator file refused, the last good catalogue stays');
    },
    overrideChanged: (change, { kind, id }) => log.info({ change, kind, id }, 'override changed'),
    overrideIgnored: ({ kind, id }, problem) => warn(`${kind} ${id}`, { kind, id, problem }, 'override ignored'),
    databaseAwaited: (error) => warn('database', { error }, 'database away, the last overrides stay'),
  };
}
