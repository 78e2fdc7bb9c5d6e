/**
 * Files that take turns: a run of `npm test` takes one of each group, and a run at another commit another one. They
 * start many processes or browsers, or prove for more vendors, pages, replicas, faults or programs what other tests of
 * every run prove for one. The orders within the groups make all runs equally long.
 */
export const turns: readonly (readonly string[])[] = [
  [
    'tests/images/memory.test.ts',
    'tests/files/memory.test.ts',
    'tests/rolling/rolling.test.ts',
    'tests/walk/walk.test.ts',
    'tests/observability/alerts.test.ts',
  ],
  [
    'tests/oauth/two-replicas.test.ts',
    'tests/provider-keys/distributed.test.ts',
    'tests/identity/two-replicas.test.ts',
    'tests/mcp/replicas.test.ts',
  ],
  [
    'tests/connections/tls.test.ts',
    'tests/rolling/clock-skew.test.ts',
    'tests/replay/replay.test.ts',
    'tests/gateway/shared-health.test.ts',
    'tests/rolling/scaling.test.ts',
  ],
  [
    'tests/observability/system.test.ts',
    'scripts/distributed/start.test.ts',
    'tests/observability/traces.test.ts',
    'tests/gateway/own-provider.test.ts',
    'tests/neighbours/split-services.test.ts',
  ],
  [
    'tests/images/clients.test.ts',
    'tests/clients/clients.test.ts',
    'tests/clients/faults.test.ts',
    'tests/agents/bodies.test.ts',
  ],
  [
    'tests/clients/stored-responses.test.ts',
    'tests/clients/embeddings.test.ts',
    'tests/images/image-vendors.test.ts',
    'tests/clients/endpoints.test.ts',
  ],
  [
    'tests/docs/documents.test.ts',
    'tests/docs/examples.test.ts',
    'tests/docs/reference.test.ts',
    'tests/docs/add-a-provider.test.ts',
  ],
  [
    'tests/dashboard/every-page.test.ts',
    'tests/dashboard/requests.test.ts',
    'tests/dashboard/build.test.ts',
    'tests/dashboard/dashboard.test.ts',
  ],
  [
    'tests/dashboard/polish.test.ts',
    'tests/dashboard/observe.test.ts',
    'tests/dashboard/projects.test.ts',
    'tests/dashboard/money.test.ts',
  ],
  [
    'tests/sandbox/control-page.test.ts',
    'tests/dashboard/security.test.ts',
    'tests/docs/clients.test.ts',
    'tests/dashboard/vendor-bills.test.ts',
  ],
  [
    'tests/mcp/conformance.test.ts',
    'tests/images/gallery.test.ts',
    'services/mcp-svc/src/http/conformance.test.ts',
    'tests/oauth/loopback-names.test.ts',
  ],
  [
    'services/ledger-svc/src/commands/demo-data-commands.test.ts',
    'services/auth-svc/src/commands/key.test.ts',
    'services/image-svc/src/cache/replicas.test.ts',
    'services/catalog-svc/src/command/commands.test.ts',
  ],
  ['tests/bus/nats-split.test.ts', 'tests/money/killed-once.test.ts', 'tests/bus/nats-leader.test.ts'],
  ['tests/bus/nats-hang.test.ts', 'tests/bus/nats-dark.test.ts', 'tests/bus/nats-cut.test.ts'],
  ['tests/gateway/distributed.test.ts', 'tests/gateway/compact.test.ts'],
  ['tests/money/faults.test.ts', 'tests/money/invariant.test.ts'],
  ['tests/money/classes.test.ts', 'tests/money/left-early.test.ts', 'tests/money/end-users.test.ts'],
  ['tests/bus/nats-faults.test.ts', 'tests/bus/journal-kills.test.ts', 'tests/bus/nats-disk.test.ts'],
  [
    'tests/dashboard/routes.test.ts',
    'tests/dashboard/tasks.test.ts',
    'tests/dashboard/playground.test.ts',
    'tests/dashboard/route-usage.test.ts',
  ],
  [
    'tests/identity/company-sign-in.test.ts',
    'tests/workload-identity/exchange.test.ts',
    'tests/identity/untrusted-responses.test.ts',
  ],
  ['tests/requests/one-process.test.ts', 'tests/reconcile/reconcile-api.test.ts', 'tests/reconcile/reconcile.test.ts'],
  ['tests/gateway/refused-start.test.ts', 'tests/gateway/nats-disk.test.ts', 'tests/gateway/recovery.test.ts'],
  ['tests/docs/named-routes.test.ts', 'tests/docs/migration.test.ts'],
  [
    'packages/store/src/redis/cluster-faults.test.ts',
    'packages/store/src/redis/sentinel.test.ts',
    'packages/store/src/redis/redis-cluster.test.ts',
  ],
  [
    'packages/database/src/postgres-troubles.test.ts',
    'packages/database/src/postgres-faults.test.ts',
    'packages/database/src/embedded/data-directory.test.ts',
  ],
  [
    'services/auth-svc/src/database/database-away.test.ts',
    'services/catalog-svc/src/overrides/overrides.test.ts',
    'packages/management-server/src/secrets/secrets.test.ts',
    'services/ledger-svc/src/alerts/conditions/conditions.test.ts',
  ],
  [
    'services/auth-svc/src/secrets/reencrypt.test.ts',
    'services/ledger-svc/src/requests/list-requests.test.ts',
    'services/ledger-svc/src/reconcile/read-vendor-usage.test.ts',
    'services/ledger-svc/src/usage/end-user-usage.test.ts',
  ],
];

/** The files that a run with the sample of this number leaves out. */
export const outOfTurn = (sample: number): string[] =>
  turns.flatMap((group) => group.filter((_, index) => index !== sample % group.length));
