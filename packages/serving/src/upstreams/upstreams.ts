import type { Link } from '@tallyport/bus';
import type { Principal } from '@tallyport/contracts';
import {
  accountTargets,
  type DispatchOptions,
  type ImageDispatchOptions,
  type PlanGround,
  type Targets,
} from '@tallyport/dispatch';
import type { CheckResult } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import { openAccountKeys } from './account-keys/open-account-keys.ts';
import { type NamedRoutes, openRoutes } from '../routes/open-routes.ts';
import { type CatalogueCopy, createCatalogueCopy } from './catalogue-copy.ts';
import type { UpstreamConfig } from './config.ts';
import { openProviderTargets } from './provider-targets.ts';
import type { RoutingEvents } from './routing-events.ts';
import { routingSettings } from './routing-config.ts';
import { type Routing, openRouting } from './routing.ts';

/** How often the copy of the catalogue is compared, in case a change was not announced. */
const catalogueRefreshMs = 30_000;
/** The time limit for connecting to a provider. */
const connectMs = 5_000;

/** The parts of a service that calls providers: the copy of the catalogue, routing, and the options of dispatch. */
export interface Upstreams {
  readonly routing: Routing;
  readonly routes: NamedRoutes;
  readonly dispatchOptions: DispatchOptions;
  readonly imageDispatchOptions: ImageDispatchOptions;
  /**
   * The basis of plans for chats, with the account's own keys if it has any. Throws `unavailable` until there is a
   * catalogue, and if those keys cannot be loaded; other keys are never used instead.
   */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  /** The same for images, whose providers have other adapters. */
  imageGroundFor(principal: Principal | undefined): Promise<PlanGround>;
  start(): Promise<void>;
  check(): Promise<CheckResult>;
  /** Call first: stops refreshing the catalogue. Requests in progress continue. */
  stopAsking(): void;
  /** Call last: shares the remaining health with the other replicas. */
  stop(): Promise<void>;
}

interface UpstreamsOptions {
  link: Link;
  /** Where replicas share the health of offers. */
  store: Pick<Store, 'accumulate'>;
  /** The number of replicas of this service. */
  replicas(): number;
  /** The maximum number of providers tried per request. */
  maxAttempts: number;
  events: RoutingEvents;
}

export function openUpstreams(config: UpstreamConfig, { link, events, ...shared }: UpstreamsOptions): Upstreams {
  const { chats: targets, images: imageTargets, setCustom } = openProviderTargets(config);
  const catalogue: CatalogueCopy = createCatalogueCopy({
    link,
    refreshMs: catalogueRefreshMs,
    unknownModels: config.UNKNOWN_MODELS,
    onLoaded(index) {
      setCustom(index.customProviders);
      events.catalogueLoaded(index);
    },
    onTrouble: events.catalogueTrouble,
  });
  const routing = openRouting({
    settings: routingSettings(config),
    ...shared,
    targets,
    shareEveryMs: config.ROUTING_SHARE_EVERY_MS,
    index: catalogue.index,
    onBreaker: events.breakerChanged,
    onShared: () => catalogue.present() && events.offersSeen(catalogue.index(), routing.standings),
  });
  const options = commonOptions(config, routing);
  const accountKeys = openAccountKeys(link);

  async function groundWith(
    called: Pick<Targets, 'all' | 'obstacle' | 'withOwnKey'>,
    principal: Principal | undefined,
  ): Promise<PlanGround> {
    const loading = accountKeys.of(principal);
    const own = loading && (await loading);
    return { ...routing.ground(), account: own && accountTargets(called, own) };
  }

  return {
    routing,
    routes: openRoutes({ link, index: catalogue.index }),
    dispatchOptions: { ...options, targets },
    imageDispatchOptions: { ...options, targets: imageTargets },
    groundFor: (principal) => groundWith(targets, principal),
    async imageGroundFor(principal) {
      const { obstacle } = imageTargets;
      return { ...(await groundWith(imageTargets, principal)), obstacle };
    },
    async start() {
      accountKeys.start();
      await Promise.all([catalogue.start(), routing.start()]);
    },
    check: async () =>
      catalogue.present()
        ? { ok: true }
        : { ok: false, message: 'The catalogue is not loaded: catalog-svc is unavailable.' },
    stopAsking: () => catalogue.stop(),
    async stop() {
      accountKeys.stop();
      await routing.stop();
    },
  };
}

const commonOptions = (config: UpstreamConfig, { standings, settings }: Routing): Omit<DispatchOptions, 'targets'> => ({
  standings,
  routing: settings,
  timeouts: {
    connectMs,
    firstByteMs: config.UPSTREAM_FIRST_BYTE_TIMEOUT_MS,
    plainFirstByteMs: config.UPSTREAM_PLAIN_FIRST_BYTE_TIMEOUT_MS,
    idleMs: config.UPSTREAM_IDLE_TIMEOUT_MS,
    totalStreamMs: config.UPSTREAM_STREAM_TIMEOUT_MS,
    totalPlainMs: config.UPSTREAM_PLAIN_TIMEOUT_MS,
  },
  maxResponseBytes: config.UPSTREAM_MAX_RESPONSE_BYTES,
  imageUrls: {
    maxBytes: config.IMAGE_URL_MAX_BYTES,
    totalMs: config.IMAGE_URL_TIMEOUT_MS,
    maxConcurrent: config.IMAGE_URL_MAX_CONCURRENT,
    allowLocal: config.ALLOW_LOCAL_TARGETS,
  },
});
