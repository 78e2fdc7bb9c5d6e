import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest. A fresh checkout knows no durations: Vitest would begin with the largest files, and wait at
 * the end for one worker.
 */
export const longest: readonly string[] = [
  'tests/gateway/one-process.test.ts',
  'tests/mcp/registered-servers.test.ts',
  'tests/gateway/refused-start.test.ts',
  'tests/reconcile/reconcile.test.ts',
  'tests/images/clients.test.ts',
  'tests/oauth/oauth.test.ts',
  'tests/docs/clients.test.ts',
  'tests/dashboard/tasks.test.ts',
  'tests/clients/clients.test.ts',
  'tests/connections/tls.test.ts',
  'tests/reconcile/reconcile-api.test.ts',
  'tests/deploy/helm-values.test.ts',
  'tests/conversations/matrix.test.ts',
  'tests/dashboard/security.test.ts',
  'tests/apply/apply.test.ts',
  'tests/limits/limits.test.ts',
  'tests/shapes/shapes.test.ts',
  'tests/money/left-early.test.ts',
  'tests/workload-identity/exchange.test.ts',
  'tests/docs/examples.test.ts',
  'tests/images/image-vendors.test.ts',
  'tests/clients/embeddings.test.ts',
  'tests/clients/socket-faults.test.ts',
  'tests/deploy/helm.test.ts',
  'tests/requests/requests.test.ts',
  'tests/mcp/conformance.test.ts',
  'tests/deploy/image.test.ts',
  'tests/regions/simulation.test.ts',
  'services/edge/src/uploads.test.ts',
  'services/edge/src/refused-uploads.test.ts',
  'services/chat-svc/src/dialects/faults.test.ts',
  'services/chat-svc/src/dialects/large-requests.test.ts',
  'packages/serving/src/guardrails/rules/redact-by-rules.test.ts',
  'services/chat-svc/src/realtime/session.test.ts',
  'services/edge/src/status/status-routes.test.ts',
  'services/image-svc/src/sizes.test.ts',
  'services/chat-svc/src/faults.test.ts',
  'services/chat-svc/src/realtime/google-live/live.test.ts',
  'packages/bus/src/lost-frames.test.ts',
  'services/mcp-svc/src/federation/hostile-server.test.ts',
  'services/image-svc/src/make-images.test.ts',
  'services/auth-svc/src/http/api/management-api.test.ts',
  'services/catalog-svc/src/overrides/overrides.test.ts',
  'services/auth-svc/src/commands/key.test.ts',
  'services/auth-svc/src/gateway-config/gateway-config.test.ts',
  'services/ledger-svc/src/requests/list-requests.test.ts',
  'services/ledger-svc/src/alerts/alerts.test.ts',
  'services/ledger-svc/src/usage/summaries.test.ts',
  'packages/dispatch/src/standing/outage.test.ts',
  'services/edge/src/leaving.test.ts',
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
