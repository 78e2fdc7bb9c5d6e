import { expect, test } from 'vitest';
import { refuseOldServer } from './server-version.ts';

test.each([150_000, 150_014, 180_001])('a server of version %i is accepted', (version) => {
  expect(() => refuseOldServer(version)).not.toThrow();
});

test.each([
  [149_999, '14.9999'],
  [140_018, '14.18'],
])('a server of version %i is refused with its version', (version, name) => {
  expect(() => refuseOldServer(version)).toThrow(
    `Postgres ${name} is too old: Tallyport needs 15 or newer. Upgrade the server first.`,
  );
});
