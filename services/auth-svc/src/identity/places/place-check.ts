import type { Database } from '@tallyport/database';
import type { Identity } from '../document/read-identity.ts';
import type { PlaceEvents } from './place-events.ts';
import { missingPlaces } from './missing-places.ts';

export interface PlaceCheckOptions {
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
  function look(): void {
    const document = identity();
    if (document === checked && performance.now() < nextAt) return;
    checked = document;
    nextAt = performance.now() + everyMs;
    void missingPlaces(database, document).then(events.placesChecked, events.placesNotChecked);
  }
  const timer = setInterval(look, changedMs).unref();
  return () => clearInterval(timer);
}
