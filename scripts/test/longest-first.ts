import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest. A fresh checkout knows no durations: Vitest would begin with the largest files, and wait at
 * the end for one worker.
 */
export const longest: readonly string[] = [
  'tests/rolling/rolling.long.test.ts',
  'tests/gateway/distributed.test.ts',
  'tests/docs/examples.test.ts',
  'services/auth-svc/src/database/database-away.long.test.ts',
  'tests/dashboard/requests.long.test.ts',
  'tests/docs/readme.test.ts',
  'tests/apply/apply.test.ts',
  'tests/identity/company-sign-in.long.test.ts',
  'tests/dashboard/observe.long.test.ts',
  'tests/mcp/registered-servers.test.ts',
  'tests/gateway/one-process.test.ts',
  'services/auth-svc/src/http/api/management-api.test.ts',
  'tests/requests/requests.test.ts',
  'services/catalog-svc/src/overrides/overrides.test.ts',
  'tests/docs/clients.test.ts',
  'tests/replay/replay.long.test.ts',
  'tests/guardrails/guardrails.test.ts',
  'services/auth-svc/src/commands/key.test.ts',
  'packages/database/src/postgres-faults.long.test.ts',
  'tests/provider-keys/distributed.long.test.ts',
  'packages/store/src/redis/cluster-faults.long.test.ts',
  'tests/reconcile/reconcile-api.test.ts',
  'tests/gateway/nats-disk.long.test.ts',
  'tests/oauth/pages.long.test.ts',
  'services/auth-svc/src/gateway-config/gateway-config.test.ts',
  'tests/gateway/refused-start.test.ts',
  'tests/workload-identity/exchange.test.ts',
  'tests/mcp/one-process.test.ts',
  'services/ledger-svc/src/requests/list-requests.test.ts',
  'services/ledger-svc/src/alerts/alerts.test.ts',
  'services/ledger-svc/src/usage/summaries.test.ts',
  'packages/dispatch/src/standing/outage.test.ts',
  'services/edge/src/refused-uploads.test.ts',
  'services/image-svc/src/sizes.test.ts',
  'services/chat-svc/src/dialects/faults.test.ts',
  'services/edge/src/leaving.test.ts',
  'services/edge/src/status/status-routes.test.ts',
];

interface TestFile {
  moduleId: string;
  project: { name: string };
}

/** The same files, in each project those that take longest first. Projects stay together: they run one after the other. */
export function longestFirst<File extends TestFile>(files: readonly File[], root: string): File[] {
  const places = new Map(longest.map((file, place) => [`${root}/${file}`, place]));
  const placeOf = ({ moduleId }: File): number => places.get(moduleId) ?? longest.length;
  return [...Map.groupBy(files, ({ project }) => project.name).values()].flatMap((each) =>
    each.toSorted((one, other) => placeOf(one) - placeOf(other)),
  );
}

/** Vitest's order, but with the files that take longest first, so that all workers end at the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files), this.ctx.config.root);
  }
}
