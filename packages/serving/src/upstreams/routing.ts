import type { Offer } from '@tallyport/contracts';
import {
  type BreakerState,
  type ModelIndex,
  type PlanGround,
  type RoutingSettings,
  type Share,
  type Standings,
  type Targets,
  createStandings,
  halfLifeOf,
  shareHealth,
} from '@tallyport/dispatch';
import type { Store } from '@tallyport/store';

/** What this replica knows of all offers, and the basis of its plans. */
export interface Routing {
  readonly standings: Standings;
  readonly settings: RoutingSettings;
  readonly targets: Targets;
  /** Throws `unavailable` until there is a catalogue. */
  ground(): PlanGround;
  index(): ModelIndex;
  /** Starts sharing health with the other replicas; resolves after the first exchange. */
  start(): Promise<void>;
  /** Shares what is left and stops. */
  stop(): Promise<void>;
}

interface RoutingOptions {
  settings: RoutingSettings;
  targets: Targets;
  store: Pick<Store, 'accumulate'>;
  shareEveryMs: number;
  /** The number of replicas of this service. */
  replicas(): number;
  maxAttempts: number;
  index(): ModelIndex;
  onBreaker(offerKey: string, state: BreakerState): void;
  /** Called after every exchange with the other replicas. */
  onShared(): void;
}

export function openRouting(options: RoutingOptions): Routing {
  const { settings, targets, store, index, maxAttempts } = options;
  const standings = createStandings({ settings, onBreaker: options.onBreaker });
  const standing = (offer: Offer) => standings.of(offer);
  let share: Share | undefined;
  return {
    standings,
    settings,
    targets,
    index,
    ground: () => ({
      index: index(),
      obstacle: targets.obstacle,
      standing,
      settings,
      maxAttempts,
      random: Math.random(),
      now: Date.now(),
    }),
    async start() {
      share = shareHealth({
        store,
        health: standings.health,
        halfLifeMs: halfLifeOf(settings),
        everyMs: options.shareEveryMs,
        replicas: options.replicas,
        onShared: options.onShared,
      });
      await share.now();
    },
    async stop() {
      await share?.stop();
      standings.close();
    },
  };
}
