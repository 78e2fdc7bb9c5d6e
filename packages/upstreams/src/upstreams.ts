import type { Link } from '@switchyard/bus';
import type { Principal } from '@switchyard/contracts';
import {
  type DispatchOptions,
  type ImageDispatchOptions,
  type PlanGround,
  accountTargets,
  readTargets,
  withCustomProviders,
} from '@switchyard/dispatch';
import { chatProviders, customImageProvider, customProvider, imageProviders } from '@switchyard/providers';
import { type CheckResult, undeclaredVendorAccess, vendorAccess } from '@switchyard/service-kit';
import type { Store } from '@switchyard/store';
import { openAccountKeys } from './account-keys/open-account-keys.ts';
import { type CatalogueCopy, createCatalogueCopy } from './catalogue-copy.ts';
import type { UpstreamConfig } from './config.ts';
import type { RoutingEvents } from './routing-events.ts';
import { routingSettings } from './routing-config.ts';
import { type Routing, openRouting } from './routing.ts';

/** What a service has that calls providers: a copy of the catalogue, routing, and what dispatch is made with. */
export interface Upstreams {
  readonly routing: Routing;
  readonly dispatchOptions: DispatchOptions;
  readonly imageDispatchOptions: ImageDispatchOptions;
  /**
   * What plans are made from now, with the account's own keys where it has any. Throws `unavailable` while there is no
   * catalogue, and when those keys cannot be loaded: other keys are never used instead.
   */
  groundFor(principal: Principal | undefined): Promise<PlanGround>;
  /** The same for plans for images, which other adapters make. */
  imageGroundFor(principal: Principal | undefined): Promise<PlanGround>;
  start(): Promise<void>;
  check(): Promise<CheckResult>;
  /** First: the catalogue is asked no more. What runs goes on. */
  stopAsking(): void;
  /** Last: tells the other replicas what they do not know yet. */
  stop(): Promise<void>;
}

export interface UpstreamsOptions {
  link: Link;
  /** Where replicas tell each other how offers do. */
  store: Pick<Store, 'accumulate'>;
  /** Providers tried for one request. */
  maxAttempts: number;
  events: RoutingEvents;
}

export function openUpstreams(
  config: UpstreamConfig,
  { link, store, maxAttempts, events }: UpstreamsOptions,
): Upstreams {
  const access = (stem: string) => vendorAccess(config, stem);
  const targets = withCustomProviders(readTargets(chatProviders, access), customProvider, undeclaredVendorAccess);
  const imageTargets = withCustomProviders(
    readTargets(imageProviders, access),
    customImageProvider,
    undeclaredVendorAccess,
  );
  const catalogue: CatalogueCopy = createCatalogueCopy({
    link,
    refreshMs: config.CATALOGUE_REFRESH_MS,
    onLoaded(index) {
      targets.setCustom(index.customProviders);
      imageTargets.setCustom(index.customProviders);
      events.catalogueLoaded(index);
    },
    onTrouble: events.catalogueTrouble,
  });
  const routing = openRouting({
    settings: routingSettings(config),
    targets,
    store,
    shareEveryMs: config.ROUTING_SHARE_EVERY_MS,
    maxAttempts,
    index: catalogue.index,
    onBreaker: events.breakerChanged,
    onShared: () => catalogue.present() && events.offersSeen(catalogue.index(), routing.standings),
  });
  const options = commonOptions(config, routing);
  const accountKeys = openAccountKeys(link);
  return {
    routing,
    dispatchOptions: { ...options, targets },
    imageDispatchOptions: { ...options, targets: imageTargets },
    async groundFor(principal) {
      const own = await accountKeys.of(principal);
      return { ...routing.ground(), account: own && accountTargets(targets, own) };
    },
    async imageGroundFor(principal) {
      const own = await accountKeys.of(principal);
      const { obstacle } = imageTargets;
      return { ...routing.ground(), obstacle, account: own && accountTargets(imageTargets, own) };
    },
    async start() {
      accountKeys.start();
      await Promise.all([catalogue.start(), routing.start()]);
    },
    check: async () =>
      catalogue.present() ? { ok: true } : { ok: false, message: 'The catalogue is not loaded: catalog-svc is away.' },
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
    connectMs: config.UPSTREAM_CONNECT_TIMEOUT_MS,
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
    allowLocal: config.IMAGE_URL_ALLOW_LOCAL,
  },
});
