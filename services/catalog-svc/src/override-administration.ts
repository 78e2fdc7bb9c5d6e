import { type CatalogueOverride, GatewayError, type StoredOverride } from '@tallyport/contracts';
import { type Database, isUnavailable } from '@tallyport/database';
import type { CatalogueKeeper } from './catalogue-keeper.ts';
import type { CatalogEvents } from './events.ts';
import { LayerError } from './layers/layer.ts';
import type { OverridesCopy } from './overrides/overrides-copy.ts';
import { deleteOverride, storeOverride } from './overrides/stored-overrides.ts';

/** The database with the overrides, and this replica's copy of them. */
export interface OverridePlace {
  database: Database;
  copy: OverridesCopy;
}

interface AdministrationTools {
  keeper: CatalogueKeeper;
  /** Absent if this process has no database. */
  place: OverridePlace | undefined;
  events: CatalogEvents;
}

type Name = Pick<CatalogueOverride, 'kind' | 'id'>;

/** The calls that change the catalogue. A change is in force on this replica before its call is answered. */
export const overrideAdministration = ({ keeper, place, events }: AdministrationTools) => ({
  async setOverride(override: CatalogueOverride): Promise<{ version: string }> {
    const { database, copy } = usable(place);
    try {
      keeper.check(override);
    } catch (error) {
      throw error instanceof LayerError ? refusal(override, error) : error;
    }
    await storeOverride(database, override).catch(asGatewayError);
    await copy.refresh();
    events.overrideChanged('set', override);
    return { version: keeper.catalogue().version };
  },

  async removeOverride(name: Name): Promise<{ removed: boolean }> {
    const { database, copy } = usable(place);
    const removed = await deleteOverride(database, name).catch(asGatewayError);
    await copy.refresh();
    if (removed) events.overrideChanged('removed', name);
    return { removed };
  },

  async listOverrides(): Promise<{ overrides: StoredOverride[] }> {
    const { copy } = usable(place);
    const overrides = copy.rows().map((row) => {
      const problem = keeper.problemWith(row)?.message;
      return { ...row, ...(problem !== undefined && { problem }) };
    });
    return { overrides };
  },
});

function usable(place: OverridePlace | undefined): OverridePlace {
  if (place === undefined) {
    throw new GatewayError('unavailable', 'catalog-svc has no database. Set its DATABASE_URL, or use tallyport.yaml.');
  }
  if (!place.copy.prepared()) throw databaseIsUnavailable();
  return place;
}

/** Paths start at the value, because the caller knows which override it sent. */
function refusal({ kind, id }: Name, { problems }: LayerError): GatewayError {
  const messages = problems.map(({ path, message }) => `${path.slice(2).join('.') || `${kind} ${id}`}: ${message}`);
  const [first] = problems;
  const param = ['value', ...(first?.path.slice(2) ?? [])].join('.');
  return new GatewayError('invalid_parameters', messages.slice(0, 10).join(' '), { param });
}

function asGatewayError(error: unknown): never {
  throw isUnavailable(error) ? databaseIsUnavailable(error) : error;
}

const databaseIsUnavailable = (cause?: unknown): GatewayError =>
  new GatewayError(
    'unavailable',
    'The catalogue cannot be changed because the database is unavailable. Try again in a moment.',
    {
      retryAfterMs: 1_000,
      cause,
    },
  );
