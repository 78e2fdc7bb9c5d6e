import type { PlannedRoute } from '@tallyport/dispatch';
import { resolveRoute, type RouteChoice } from '@tallyport/routes';
import type { FoundRoute } from '../routes/open-routes.ts';
import type { RouteTools } from '../routes/route-tools.ts';
import { splitSuffix } from '../routes/model-suffix.ts';

/** A model that a request asks for, by itself or through a route. */
export interface AskedModel {
  model: string;
  route?: PlannedRoute;
}

/** What the routes of a request decided, for explanations. */
export interface ResolvedChoice extends Pick<FoundRoute, 'owner'> {
  choice: RouteChoice;
}

interface AskedModels {
  /** In the order in which they are asked; each one once. */
  models: readonly AskedModel[];
  choices: readonly ResolvedChoice[];
}

/** The most models of a request: as many as a single route can have. */
const mostModels = 15;

/** Puts the models of each route in the place of its name. */
export async function askedModels(names: readonly string[], tools: RouteTools): Promise<AskedModels> {
  const models: AskedModel[] = [];
  const choices: ResolvedChoice[] = [];
  for (const name of names) {
    const finding = tools.find(name);
    const found = finding instanceof Promise ? await finding : finding;
    if (found === undefined) {
      models.push({ model: name });
      continue;
    }
    const choice = await choiceOf(found, tools);
    choices.push({ owner: found.owner, choice });
    models.push(...modelsOf(found, choice));
  }
  const isFirst = ({ model }: AskedModel, at: number) => models.findIndex((each) => each.model === model) === at;
  const asked = models.filter(isFirst).slice(0, tools.onlyFirst ? 1 : mostModels);
  if (asked.length > 1) tools.onSeveral?.();
  return { models: asked, choices };
}

/** Each turn knows one more of the decisions that the route may ask. */
async function choiceOf(found: FoundRoute, tools: RouteTools): Promise<RouteChoice> {
  const question = await tools.question(found);
  for (;;) {
    const choice = resolveRoute(found.compiled, question);
    if (choice.wanted === undefined) return choice;
    await tools.decide(choice.wanted, found);
  }
}

const modelsOf = ({ owner, suffix, compiled: { name, route } }: FoundRoute, { models }: RouteChoice): AskedModel[] =>
  models.map(({ model, reason }) => ({
    model: suffix === undefined ? model : (splitSuffix(model)?.base ?? model) + suffix,
    route: { name, owner, target: model, reason, route },
  }));
