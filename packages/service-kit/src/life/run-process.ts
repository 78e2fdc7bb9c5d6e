import { adminServer } from '../admin/admin-server.ts';
import { processConfig } from '../config/common.ts';
import { environmentSources } from '../config/env-file.ts';
import { misnamedKeys } from '../config/misnamed-keys.ts';
import { readConfig } from '../config/read.ts';
import { secretsOf } from '../config/secrets.ts';
import type { ConfigOf, Settings } from '../config/setting.ts';
import { createLog, gatheredDestination, terminalDestination } from '../log/index.ts';
import { createMetrics, runningRequests } from '../metrics/index.ts';
import { processTracing } from '../trace/process-tracing.ts';
import { runningTrace } from '../trace/running-trace.ts';
import { createEnding } from './ending.ts';
import { createKit } from './kit.ts';
import type { Kit } from './kit.ts';
import { createLifetime } from './lifetime.ts';
import type { Lifetime } from './lifetime.ts';
import type { Part } from '../parts/part.ts';
import { createReadiness } from '../parts/readiness.ts';
import { returnMemoryWhenQuiet } from './return-memory.ts';
import { sayStartFailure } from './start-error.ts';

interface ProcessOptions<Definition extends Settings> {
  readonly name: string;
  readonly config: Definition;
  /** Runs before anything is started. Throws if the process cannot start. */
  readonly check?: (config: ConfigOf<Definition> & ProcessConfig) => Promise<void>;
  /** Builds the parts, in the order in which they need each other. */
  readonly compose: (kit: Kit<ConfigOf<Definition>>) => Promise<readonly Part[]> | readonly Part[];
  /** Runs when everything has started. */
  readonly ready?: (kit: Kit<ConfigOf<Definition>>) => void | Promise<void>;
}

type ProcessConfig = ConfigOf<typeof processConfig>;

/**
 * Runs a process: reads the configuration, starts the parts in order, and stops them in reverse at SIGTERM, SIGINT or
 * SIGHUP. Exit code 0 after a clean stop; 1 with a sentence on stderr when the start fails, and 1 when stopping fails
 * or takes longer than SHUTDOWN_TIMEOUT_MS.
 */
export async function runProcess<Definition extends Settings>(options: ProcessOptions<Definition>): Promise<void> {
  const settings = { ...processConfig, ...options.config };
  try {
    const sources = environmentSources();
    const config: ConfigOf<Definition> & ProcessConfig = readConfig(settings, sources);
    const hints = misnamedKeys(settings, sources.environment);
    await live(options, { config, secrets: secretsOf(settings, config), hints });
  } catch (error) {
    sayStartFailure(options.name, error);
    process.exit(1);
  }
}

interface ReadSettings<Definition extends Settings> {
  readonly config: ConfigOf<Definition> & ProcessConfig;
  readonly secrets: readonly string[];
  readonly hints: readonly string[];
}

async function live<Definition extends Settings>(
  options: ProcessOptions<Definition>,
  { config, secrets, hints }: ReadSettings<Definition>,
): Promise<void> {
  const { name } = options;
  const destination = process.stdout.isTTY
    ? terminalDestination(process.stdout)
    : gatheredDestination(process.stdout.fd);
  const traced = config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? undefined : runningTrace();
  const logFor = (service: string) =>
    createLog({ service, level: config.LOG_LEVEL, destination, secrets, fields: traced?.fields });
  const log = logFor(name);
  const lifetime = createLifetime(log);
  const metrics = createMetrics();
  const running = () => runningRequests(metrics);
  const ending = createEnding({ name, log, lifetime, destination, running, timeoutMs: config.SHUTDOWN_TIMEOUT_MS });
  for (const hint of hints) log.warn(hint);
  const tracing = traced && (await processTracing({ name, config, running: traced, log, metrics }));
  // Adopted first and therefore stopped last, so that the shutdown of the other parts is traced too.
  if (tracing) lifetime.adopt({ name: 'traces', stop: tracing.stop });
  const kit = createKit<ConfigOf<Definition>>({
    name,
    config,
    log,
    logFor,
    metrics,
    tracing,
    onShutdown: (part, stop) => lifetime.adopt({ name: part, stop }),
    fail: ending.fail,
  });
  ending.watch();
  try {
    await options.check?.(config);
    await startUp(options, { kit, lifetime, config });
  } catch (error) {
    await ending.startFailed(error, config);
  }
}

async function startUp<Definition extends Settings>(
  { compose, ready }: ProcessOptions<Definition>,
  { kit, lifetime, config }: { kit: Kit<ConfigOf<Definition>>; lifetime: Lifetime; config: ProcessConfig },
): Promise<void> {
  const { log, metrics } = kit;
  const readiness = createReadiness(lifetime.phase, lifetime.parts);
  const admin = adminServer({ host: config.ADMIN_HOST, port: config.ADMIN_PORT, metrics, readiness });
  // The first server, so that a process that is still starting can be observed.
  await lifetime.start([admin]);
  await lifetime.start(await compose(kit));
  collectStartGarbage();
  returnMemoryWhenQuiet((error) => log.warn({ error }, 'the memory in use could not be read'));
  if (!lifetime.running()) return;
  log.info({ admin: admin.address(), startMs: Math.round(performance.now()) }, 'ready');
  await ready?.(kit);
}

/** Modules and catalogues leave much garbage, which V8 keeps until the heap has grown. No request waits yet. */
function collectStartGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
