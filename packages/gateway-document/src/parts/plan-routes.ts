import type { Routes } from '@tallyport/contracts';
import { type NamedRoute, namedRouteSchema } from '@tallyport/management';
import { routesProblems } from '@tallyport/routes';
import type { AccountPart } from '../account-part.ts';
import { callStep, deletionStep } from '../call-step.ts';
import { extraPart, joinParts, type PartPlan, problemPart, stepPart, unchangedPart } from '../plan-step.ts';
import { settingChanges } from '../setting-changes.ts';

/** Routes are recognised by name, and put as a whole. */
export function planRoutes({ account, entry, state }: AccountPart<Routes>): PartPlan {
  const existing = state?.routes ?? [];
  const wanted = Object.entries(entry).map(([name, route]) => {
    const found = existing.find((each) => each.name === name);
    return planRoute({ account, isNew: found === undefined }, { name, ...route }, found);
  });
  const unlisted = existing
    .filter(({ name }) => !Object.hasOwn(entry, name))
    .map(({ name }) => extraPart(deletionStep({ account, subject: subjectOf(name) }, 'deleteRoute', () => ({ name }))));
  const problems = routesProblems(entry).map(({ path, message }) =>
    problemPart(['accounts', account, 'routes', ...path], message.replace(/\.$/, '')),
  );
  return joinParts([...problems, ...wanted, ...unlisted]);
}

const settings = Object.keys(namedRouteSchema.shape).filter((name) => name !== 'name');

function planRoute(
  { account, isNew }: { account: string; isNew: boolean },
  route: NamedRoute,
  found: Partial<NamedRoute> = {},
): PartPlan {
  const changes = settingChanges(settings, found, route);
  if (changes.length === 0) return unchangedPart;
  const action = isNew ? 'create' : 'change';
  return stepPart(callStep({ account, subject: subjectOf(route.name), action, changes }, 'putRoute', () => route));
}

const subjectOf = (name: string): string => `route ${JSON.stringify(name)}`;
