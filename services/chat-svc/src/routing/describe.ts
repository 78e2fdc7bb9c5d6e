import type { Offer } from '@tallyport/contracts';
import type { SentRoute } from '@tallyport/endpoints';
import {
  type Candidate,
  type Lane,
  type PassedOver,
  type Plan,
  type Standing,
  ailment,
  plansInTurn,
} from '@tallyport/dispatch';
import type { RouteShadow } from '@tallyport/routes';
import type { ResolvedChoice } from '@tallyport/serving';
import { type Routing, settingsInForce } from '@tallyport/serving/upstreams';

/** The standing of an offer, in the format of the API. */
export const describeStanding = (standing: Standing, { settings }: Pick<Routing, 'settings'>) => ({
  healthy: ailment(standing, settings) === undefined && standing.recovery === undefined,
  uptime: {
    ratio: rounded(standing.uptime.ratio),
    expected: rounded(standing.uptime.expected),
    lower: rounded(standing.uptime.lower),
    upper: rounded(standing.uptime.upper),
    samples: rounded(standing.uptime.samples),
  },
  latency_ms: known(standing.latency),
  tokens_per_second: known(standing.throughput),
  breaker: standing.breaker,
  cooldown_ms: Math.ceil(standing.cooldownMs),
  recovery: describeRecovery(standing.recovery),
});

const describeRecovery = (recovery: Standing['recovery']) => {
  if (recovery === undefined) return null;
  return recovery.state === 'away'
    ? { state: recovery.state, trial_in_ms: Math.ceil(recovery.trialInMs) }
    : { state: recovery.state, requests_at_once: recovery.atOnce };
};

/** The response of `POST /v1/routes/explain`; `laneOf` for requests of an API that some vendors have. */
export const describePlan = (
  plan: Plan,
  routing: Pick<Routing, 'settings'>,
  laneOf: (offer: Offer) => Lane | undefined = () => undefined,
): SentRoute => ({
  object: 'route',
  requested_model: plan.requestedModel,
  requested_provider: plan.requestedProvider ?? null,
  model: plan.model.id,
  max_attempts: plan.maxAttempts,
  candidates: plan.candidates.map((candidate) => ({
    ...describeCandidate(plan, candidate, routing),
    ...describeLane(laneOf(candidate.offer)),
  })),
  weights: { from: plan.weights.from, ...plan.weights.values },
  settings: settingsInForce(routing.settings),
  excluded: plan.excluded.map(({ offer, reason, detail }) => ({ ...names(plan.model.id, offer), reason, detail })),
});

/** Of a request that names several models: the plans of the others, and the order of all. */
export function describeTurns(
  { own, standIns, passedOver }: { own: Plan; standIns: readonly Plan[]; passedOver: readonly PassedOver[] },
  describe: (plan: Plan) => SentRoute,
): Pick<SentRoute, 'passed_over' | 'stand_ins' | 'turns'> {
  if (standIns.length === 0 && passedOver.length === 0) return {};
  return {
    turns: plansInTurn(own, standIns).map(nameOfTurn),
    stand_ins: standIns.map((plan) => {
      const { settings: _ofAll, ...described } = describe(plan);
      return described;
    }),
    passed_over: passedOver.map(({ model, error: { code, message } }) => ({ model, reason: code, detail: message })),
  };
}

/** The client named a route, not the models that it led to. */
const nameOfTurn = ({ requestedModel, requestedProvider, model, route }: Plan): string => {
  if (route === undefined) return requestedModel;
  return requestedProvider === undefined ? model.id : `${requestedProvider}/${model.id}`;
};

/** The named routes of a request: what decided, and the order that follows. */
export const describeRoutes = ({ choices }: { choices: readonly ResolvedChoice[] }): Pick<SentRoute, 'routes'> =>
  choices.length === 0 ? {} : { routes: choices.map(describeRoute) };

const describeRoute = ({ owner, choice: { route, conditions, targets, models } }: ResolvedChoice) => ({
  name: route.name,
  owner,
  on_content_filter: route.route.onContentFilter,
  conditions: conditions.map(({ if: text, use, result, problem }) => ({ if: text, use: [...use], result, problem })),
  targets: targets.map(({ share, ...target }) => ({ ...target, share: rounded(share) })),
  models: [...models],
  ...(owner === 'account' && route.route.shadow && { shadow: describeShadow(route.route.shadow) }),
});

const describeShadow = ({ model, percent, project, payer }: RouteShadow) => ({
  model,
  percent,
  project,
  project_id: payer?.projectId ?? null,
});

const describeLane = (lane: Lane | undefined) => lane && { lane: lane.lane, lane_reason: lane.reason };

/** The owner of the key that is tried first. */
export const keyOwner = (own: boolean | undefined): 'own' | 'service' => (own === true ? 'own' : 'service');

/** The members that identify an offer, as in `metadata.routing`. */
export const names = (model: string, { providerId, modelName }: Offer) => ({
  provider: providerId,
  model,
  model_name: modelName,
});

function describeCandidate({ model }: Plan, candidate: Candidate, routing: Pick<Routing, 'settings'>) {
  const { offer, reason, score, standing, ownKey } = candidate;
  const factors = Object.entries(score.factors).map(([name, { value, ratio, weight }]) => [
    name,
    // A price per token is tiny, so it is not rounded.
    { value: name === 'price' ? value : rounded(value), ratio: rounded(ratio), weight: rounded(weight) },
  ]);
  return {
    ...names(model.id, offer),
    key: keyOwner(ownKey),
    reason,
    score: rounded(score.total),
    factors: Object.fromEntries(factors),
    uptime_penalty: rounded(score.penalty),
    priority_penalty: rounded(score.priority),
    ...describeStanding(standing, routing),
  };
}

/** Less than this counts as no samples. */
const leastSamples = 0.05;

const known = ({ mean, samples }: Standing['latency']): number | null =>
  samples < leastSamples ? null : rounded(mean);

function rounded(value: number): number;
function rounded(value: number | undefined): number | null;
function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(value * 10_000) / 10_000;
}
