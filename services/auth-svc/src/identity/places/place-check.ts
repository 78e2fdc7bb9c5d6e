import type { Database } from '@tallyport/database';
import { repeat } from '@tallyport/service-kit';
import type { Identity } from '../document/read-identity.ts';
import type { PlaceEvents } from './place-events.ts';
import { missingPlaces } from './missing-places.ts';

interface PlaceCheckOptions {
  database: Database;
  identity(): Identity;
  events: PlaceEvents;
}

/** How soon a changed document is checked, and how often one that stays, because accounts and projects change. */
const changedMs = 1_000;
const everyMs = 10_000;

/** Reports missing accounts and projects of rules until the returned function is called. */
export function startPlaceCheck({ database, identity, events }: PlaceCheckOptions): () => void {
  let checked: Identity | undefined;
  let nextAt = 0;
  async function look(): Promise<void> {
    const document = identity();
    if (document === checked && performance.now() < nextAt) return;
    checked = document;
    nextAt = performance.now() + everyMs;
    events.placesChecked(await missingPlaces(database, document));
  }
  return repeat({ everyMs: changedMs, onFailed: events.placesNotChecked }, look);
}
