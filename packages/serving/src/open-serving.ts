import { openAnswerCache, type ThroughCache } from './cache/index.ts';
import type { Link, Listener } from '@tallyport/bus';
import { type Metering, openMetering } from './metering/index.ts';
import { joinReplicas } from '@tallyport/limits';
import { openReplays, type Replays } from './replay/index.ts';
import type { Kit, Part } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import { openUpstreams, type RoutingEvents, type Upstreams } from './upstreams/index.ts';
import type { ServingConfig } from './config.ts';
import { type ContentLog, openContentLog } from './content/content-log.ts';
import { type Decider, openDecider } from './decider/decider.ts';
import { type GuardrailTools, openGuardrails } from './guardrails/open-guardrails.ts';

/** The parts of a service with endpoints that cost money. */
interface Serving {
  upstreams: Upstreams;
  metering: Metering;
  throughCache: ThroughCache;
  replays: Replays;
  decider: Decider;
  guardrails: GuardrailTools;
  contentLog: ContentLog;
  /**
   * The service as a part of a process. It becomes ready with the first catalogue; after that catalog-svc may be down.
   */
  part(service: ServedService): Part;
}

interface ServedService {
  listen(): Promise<Listener>;
  /** Closes every provider connection; called after the last answer. */
  close(): Promise<unknown>;
}

interface OpenServingTools {
  link: Link;
  /** Shared by replicas for limits, health and the results of requests with an Idempotency-Key. */
  store: Store;
  /** Shared by replicas for cached answers; `store` when absent. */
  answerStore?: Store | undefined;
  events: RoutingEvents;
  /** The maximum number of providers tried per request. */
  maxAttempts: number;
  keepAliveMs: number;
  /** The version of the code: answers cached by another release are not used. */
  release: string;
}

export function openServing(kit: Kit<ServingConfig>, tools: OpenServingTools): Serving {
  const { link, store, answerStore = store, events, maxAttempts, keepAliveMs, release } = tools;
  const replicas = joinReplicas({ store, group: kit.name });
  const upstreams = openUpstreams(kit.config, { link, store, replicas: replicas.count, maxAttempts, events });
  const catalogueVersion = () => upstreams.routing.index().version;
  const metering = openMetering(kit, { link, store, replicas, priceVersion: catalogueVersion });
  const throughCache = openAnswerCache(kit, { store: answerStore, metering, catalogueVersion, release });
  const replays = openReplays(kit, { store, keepAliveMs });
  const contentLog = openContentLog(kit, link);
  const decider = openDecider(kit, { ...upstreams, metering });
  const guardrails = openGuardrails(kit, { link, decider });
  let listener: Listener | undefined;
  return {
    upstreams,
    metering,
    throughCache,
    replays,
    decider,
    guardrails,
    contentLog,
    part: ({ listen, close }) => ({
      name: kit.name,
      async start() {
        guardrails.webhooks.start();
        await upstreams.start();
        listener = await listen();
      },
      check: upstreams.check,
      async stop(deadlineMs) {
        upstreams.stopAsking();
        const until = performance.now() + deadlineMs;
        await listener?.drain(deadlineMs);
        await replays.drain(Math.max(0, until - performance.now()));
        await close();
        await Promise.all([
          guardrails.stop(),
          decider.close(),
          upstreams.stop(),
          metering.stop(deadlineMs),
          contentLog.stop(deadlineMs),
        ]);
        await replicas.stop();
      },
    }),
  };
}
