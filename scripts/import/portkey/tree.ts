import { type Draft, largestFirst, type RouteEntry } from '../draft.ts';
import type { Path } from '../left-over.ts';
import { type Members, openMembers } from '../members.ts';
import { openConfig } from './open-config.ts';
import { targetReasons } from './reasons.ts';
import { readTarget, type TargetContext } from './target.ts';

/** What a part of a config asks: the models of the first choice with their shares, and those after it. */
export interface Choice {
  targets: RouteEntry['targets'];
  then: string[];
}

/** A part with conditions, whose targets have names. */
export interface Conditional {
  path: Path;
  conditions: { query: unknown; target: string | undefined; path: Path }[];
  otherwise: string | undefined;
  choices: ReadonlyMap<string, Choice>;
}

const mostDepth = 5;
const mostTargets = 50;

/** Reads a part of a config, with its parts. Conditions are only at the top. */
export function readPart(part: Members, context: TargetContext, depth = 0): Choice | Conditional {
  const { left } = context.draft;
  const strategy = openConfig(part.value('strategy'), [...part.path, 'strategy'], left);
  const mode = strategy.text('mode') ?? 'single';
  const entries = part.list('targets');
  if (entries.length > mostTargets)
    left.add([...part.path, 'targets'], `Only the first ${mostTargets} targets are read.`, 'Divide the config.');
  if (depth >= mostDepth) {
    left.add(part.path, `Only ${mostDepth} levels of targets are read.`, 'Write this part into the route by hand.');
    return none;
  }
  if (entries.length === 0) return single(readTarget(part, context));
  const children = entries.slice(0, mostTargets).map((entry, at) => {
    const members = openConfig(entry, [...part.path, 'targets', at], left);
    const [name, weight] = [members.text('name'), members.number('weight')];
    return { name, weight, choice: plain(readPart(members, context, depth + 1), members.path, context.draft) };
  });
  const conditional = mode === 'conditional' ? readConditions(strategy, children, context.draft) : undefined;
  strategy.leaveRest(targetReasons);
  part.leaveRest(targetReasons);
  if (conditional !== undefined) return { ...conditional, path: part.path };
  if (mode === 'loadbalance') return balanced(children);
  return mode === 'fallback' ? inOrder(children.map(({ choice }) => choice)) : (children[0]?.choice ?? none);
}

const none: Choice = { targets: [], then: [] };

const single = (model: string | undefined): Choice => (model === undefined ? none : { targets: [{ model }], then: [] });

export const isConditional = (part: Choice | Conditional): part is Conditional => 'conditions' in part;

/** Conditions below other strategies have no place in a route: the part counts as its default. */
function plain(part: Choice | Conditional, path: Path, { left }: Draft): Choice {
  if (!isConditional(part)) return part;
  left.add(path, 'A route has conditions only before everything else.', 'Write a route of its own for this part.');
  return part.choices.get(part.otherwise ?? '') ?? none;
}

interface Child {
  name: string | undefined;
  weight: number | undefined;
  choice: Choice;
}

const mostWeight = 1_000_000;

function balanced(children: readonly Child[]): Choice {
  const weights = new Map<string, number>();
  for (const { weight = 1, choice } of children) {
    const sum = choice.targets.reduce((total, each) => total + (each.weight ?? 1), 0) || 1;
    for (const { model, weight: share = 1 } of choice.targets) {
      const part = Math.max(0, (weight * share) / sum);
      weights.set(model, Math.min(mostWeight, (weights.get(model) ?? 0) + part));
    }
  }
  const targets = [...weights].map(([model, weight]) => ({ model, weight: Math.round(weight * 1e4) / 1e4 }));
  return {
    targets,
    then: unique(
      children.flatMap(({ choice }) => choice.then),
      targets,
    ),
  };
}

function inOrder([first = none, ...rest]: readonly Choice[]): Choice {
  const after = rest.flatMap((choice) => modelsOf(choice));
  return { targets: first.targets, then: unique([...first.then, ...after], first.targets) };
}

const unique = (models: readonly string[], targets: RouteEntry['targets']): string[] =>
  [...new Set(models)].filter((model) => targets.every((target) => target.model !== model));

/** All models, the one with the largest share first. */
export const modelsOf = ({ targets, then }: Choice): string[] => [...largestFirst(targets), ...then];

function readConditions(strategy: Members, children: readonly Child[], { left }: Draft): Omit<Conditional, 'path'> {
  const path = [...strategy.path, 'conditions'];
  const entries = strategy.list('conditions');
  if (entries.length > mostTargets)
    left.add(path, `Only the first ${mostTargets} conditions are read.`, 'Divide the config.');
  const conditions = entries.slice(0, mostTargets).map((entry, at) => {
    const members = openMembers(entry, [...path, at], left);
    const condition = { query: members.value('query'), target: members.text('then'), path: members.path };
    members.leaveRest();
    return condition;
  });
  const named = children.flatMap(({ name, choice }) => (name === undefined ? [] : [[name, choice] as const]));
  return { conditions, otherwise: strategy.text('default'), choices: new Map(named) };
}
