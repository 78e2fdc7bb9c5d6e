import { expect, test } from 'vitest';
import { healthChecks } from './checks.ts';

const works = () => Promise.resolve({ connected: true });

/** The checks of an edge whose link to NATS is set by `isConnected`. */
function open(isConnected: () => boolean) {
  const link = { connected: isConnected, unheard: () => [] };
  return healthChecks({ link, redis: works, database: works, onAway: () => {} });
}

test('what is behind NATS is not known without it, and NATS is named', async () => {
  const checks = open(() => false);
  const notKnown = { connected: false, error: 'not known, because nats is not reachable', away: ['nats'] };
  expect([await checks.database(), await checks.services()]).toEqual([notKnown, notKnown]);
});

test('the database is known as soon as NATS is back', async () => {
  let isConnected = false;
  const checks = open(() => isConnected);
  await checks.database();
  isConnected = true;
  expect([await checks.nats(), await checks.database()]).toEqual([{ connected: true }, { connected: true }]);
});
