import type { Draft, RouteEntry } from '../draft.ts';
import type { Path } from '../left-over.ts';
import type { Deployment } from './deployment.ts';

/** A `model_name` with its deployments. */
export interface Group {
  name: string;
  /** Its first deployment. */
  path: Path;
  targets: RouteEntry['targets'];
  /** Deployments with a higher `order`, which are called when the targets fail. */
  spare: string[];
  contextLength: number | undefined;
  /** Its name is that of its only model, so it needs no route. */
  isModel: boolean;
}

/** The groups by name. Wildcards are no groups: `provider/model` names the models they stand for. */
export function groupsOf(deployments: readonly Deployment[], draft: Draft, strategy: string): Map<string, Group> {
  const byName = Map.groupBy(deployments.filter(isNamed), ({ group }) => group);
  const inUse = new Set(deployments.map(({ provider }) => provider));
  return new Map([...byName].map(([name, members]) => [name, groupOf(name, members, { draft, strategy, inUse })]));
}

type Named = Deployment & { model: string };

const isNamed = (deployment: Deployment): deployment is Named => deployment.model !== undefined;

interface Surroundings {
  draft: Draft;
  strategy: string;
  /** The providers of all deployments. */
  inUse: ReadonlySet<string>;
}

function groupOf(name: string, members: readonly Named[], surroundings: Surroundings): Group {
  const first = Math.min(...members.map(({ order }) => order));
  const byOrder = members.toSorted((one, other) => one.order - other.order);
  const now = byOrder.filter(({ order }) => order === first);
  const later = byOrder.filter(({ order }) => order > first);
  const targets = targetsOf(now, surroundings);
  const lengths = members.flatMap(({ contextLength }) => contextLength ?? []);
  const spare = [...new Set(later.map(({ provider, model }) => `${provider}/${model}`))];
  const [only] = targets;
  return {
    name,
    path: byOrder[0]?.path ?? [],
    targets,
    spare,
    contextLength: lengths.length === 0 ? undefined : Math.min(...lengths),
    isModel:
      targets.length === 1 && spare.length === 0 && (surroundings.draft.known.named(name)?.id ?? name) === only?.model,
  };
}

const shareNames = ['weight', 'rpm', 'tpm'] as const;

/** `simple-shuffle` spreads requests by the first of these that a deployment has; other strategies choose by measurements. */
function targetsOf(members: readonly Named[], { draft, strategy, inUse }: Surroundings): RouteEntry['targets'] {
  const share = shareNames.find((name) => members.some(({ shares }) => (shares[name] ?? 0) > 0));
  if (share === undefined || members.length === 1 || strategy !== 'simple-shuffle')
    return unweighted(members, draft, inUse);
  const weights = new Map<string, number>();
  for (const { provider, model, shares } of members) {
    const target = `${provider}/${model}`;
    weights.set(target, (weights.get(target) ?? 0) + Math.max(0, shares[share] ?? 0));
  }
  const scale = Math.max(1, Math.max(...weights.values()) / mostWeight);
  return [...weights].map(([model, weight]) => ({ model, weight: Math.round((weight / scale) * 1_000) / 1_000 }));
}

const mostWeight = 1_000_000;

/** A model without its provider leaves the choice to the score, if that chooses among the same providers. */
function unweighted(
  members: readonly Named[],
  { known, models }: Draft,
  inUse: ReadonlySet<string>,
): RouteEntry['targets'] {
  return [...Map.groupBy(members, ({ model }) => model)].flatMap(([model, deployments]) => {
    const providers = new Set(deployments.map(({ provider }) => provider));
    const offered = [...(known.named(model)?.providers ?? []), ...Object.keys(models.get(model)?.offers ?? {})];
    const isSame = offered.every((provider) => providers.has(provider) || !inUse.has(provider));
    return isSame ? [{ model }] : [...providers].map((provider) => ({ model: `${provider}/${model}` }));
  });
}
