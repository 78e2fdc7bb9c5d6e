/**
 * Files that take turns: a run of `npm test` takes one of each group, and a run at another commit another one. They
 * start many processes or browsers, and what they prove is proved by tests of every run in a smaller system: in one
 * process, with one replica, or for one page.
 */
export const turns: readonly (readonly string[])[] = [
  ['tests/rolling/rolling.test.ts', 'tests/walk/walk.test.ts', 'tests/observability/alerts.test.ts'],
  ['tests/mcp/replicas.test.ts', 'tests/oauth/loopback-names.test.ts', 'tests/oauth/two-replicas.test.ts'],
  ['tests/gateway/shared-health.test.ts', 'tests/rolling/clock-skew.test.ts', 'tests/replay/replay.test.ts'],
  ['tests/images/memory.test.ts', 'scripts/distributed/start.test.ts', 'tests/docs/add-a-provider.test.ts'],
  ['tests/clients/faults.test.ts', 'tests/images/clients.test.ts', 'tests/clients/clients.test.ts'],
  ['tests/dashboard/polish.test.ts', 'tests/dashboard/projects.test.ts', 'tests/images/gallery.test.ts'],
  ['tests/provider-keys/distributed.test.ts', 'tests/identity/two-replicas.test.ts'],
  ['tests/observability/system.test.ts', 'tests/observability/traces.test.ts'],
  ['tests/dashboard/every-page.test.ts', 'tests/dashboard/dashboard.test.ts'],
  ['tests/dashboard/requests.test.ts', 'tests/dashboard/build.test.ts'],
  ['tests/dashboard/money.test.ts', 'tests/dashboard/observe.test.ts'],
];

/** The files that a run with the sample of this number leaves out. */
export const outOfTurn = (sample: number): string[] =>
  turns.flatMap((group) => group.filter((_, index) => index !== sample % group.length));
