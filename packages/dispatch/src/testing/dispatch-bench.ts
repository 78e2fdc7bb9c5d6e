import { chatProviders } from '@tallyport/providers';
import {
  type Simulator,
  type SimulatorOptions,
  sandboxProviders,
  sharedModel,
  startSimulator,
} from '@tallyport/simulator';
import type { OwnKeys } from '../targets/own-keys.ts';
import { accountTargets } from '../targets/account-targets.ts';
import { type Dispatch, type DispatchOptions, createDispatch } from '../chat/chat-dispatch.ts';
import type { ChatJob } from '../chat/chat-job.ts';
import type { ChatOutcome } from '../chat/chat-outcome.ts';
import type { Fallback } from '../plan/fallback.ts';
import { indexCatalogue } from '../plan/model-index.ts';
import { needsOf } from '../plan/needs.ts';
import { planChat } from '../plan/plan.ts';
import { defaultRouting, type RoutingSettings } from '../settings.ts';
import { createStandings, type Standings } from '../standing/standings.ts';
import { type ProviderAccess, readTargets } from '../targets/targets.ts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';

/** Forgets everything at once, so that no test affects the next one. */
export const forgetful: RoutingSettings = {
  ...defaultRouting,
  exploration: 0,
  healthWindowMs: 0.001,
  breaker: { ...defaultRouting.breaker, volume: 1_000_000, failuresInARow: 1_000_000 },
  maxCooldownMs: 0,
};

/** A dispatch with one model, whose providers are all simulated. */
export interface DispatchBench {
  simulator: Simulator;
  dispatch: Dispatch;
  standings: Standings;
  /** The providers in the order in which they are tried. */
  providers: readonly string[];
  outcomes: ChatOutcome[];
  job(options?: JobOptions): ChatJob;
  close(): Promise<void>;
}

export interface JobOptions {
  stream?: boolean;
  signal?: AbortSignal;
  fallback?: Fallback;
  content?: string;
  maxTokens?: number;
  /** The account's own provider keys. */
  own?: OwnKeys;
}

interface DispatchBenchOptions extends Partial<Omit<DispatchOptions, 'targets' | 'standings'>> {
  chunksPerSecond?: number;
  /** Replaces the URL of the simulator. */
  baseUrl?: string;
  keys?: readonly string[];
  /** Replace the simulated providers. */
  providers?: readonly string[];
  /** The providers' name of the model. */
  modelName?: string;
  simulator?: SimulatorOptions;
  /** Replaces `keys` and `baseUrl`; called with the stem of each provider. */
  access?(stem: string, simulatorUrl: string): ProviderAccess;
}

export async function startDispatchBench(options: DispatchBenchOptions = {}): Promise<DispatchBench> {
  const simulator = await startSimulator({ chunksPerSecond: options.chunksPerSecond ?? 0, ...options.simulator });
  const baseUrl = options.baseUrl ?? simulator.url;
  const same = { keys: options.keys ?? [], baseUrl };
  const targets = readTargets(chatProviders, (stem) => options.access?.(stem, simulator.url) ?? same);
  const routing = options.routing ?? forgetful;
  const standings = createStandings({ settings: routing });
  const dispatch = createDispatch({ ...options, routing, targets, standings });
  const providers = options.providers ?? sandboxProviders.map(({ id }) => id);
  const offers = providers.map((id) => offerOf(id, { modelName: options.modelName ?? sharedModel }));
  const index = indexCatalogue(catalogueOf(modelOf(sharedModel, offers)));
  const outcomes: ChatOutcome[] = [];
  return {
    simulator,
    dispatch,
    standings,
    providers,
    outcomes,
    job({ stream = false, signal = new AbortController().signal, fallback, content = 'Hello', maxTokens, own } = {}) {
      const messages = [{ role: 'user' as const, content }];
      const request = { model: sharedModel, messages, stream, ...(maxTokens && { max_tokens: maxTokens }) };
      const question = { model: sharedModel, needs: needsOf(request), fallback };
      const chance = { random: 1, now: Date.now() };
      const ground = { index, obstacle: targets.obstacle, standing: standings.of, settings: routing, maxAttempts: 3 };
      const account = own && accountTargets(targets, own);
      const plan = planChat(question, { ...ground, ...chance, account });
      const onOutcome = (outcome: ChatOutcome) => void outcomes.push(outcome);
      return { call: { request, stream }, plan, signal, completionId: 'chatcmpl-ours', created: 1, onOutcome };
    },
    async close() {
      standings.close();
      await dispatch.close();
      await simulator.close();
    },
  };
}
