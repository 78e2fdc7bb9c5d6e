import { GatewayError } from '@tallyport/contracts';
import { hasRole, type RouteRecord, type UsedRoute } from '@tallyport/management';
import { type FormState, html, problemAt } from '@tallyport/pages';
import { formPage } from '../screen/form-page.ts';
import { type ConfirmationPrompt, confirmationRoutes, formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { nameField, routeGroups, routeInput, routeValues } from './route-fields.ts';
import { type Served, servedOf } from './served.ts';
import { obstaclesOf } from './target-state.ts';
import { usagePage } from './usage-page.ts';
import { explainAddress, routesPage } from './view.ts';

const section = 'routes';
const title = 'Routes';
const access = 'owner';
const back = { path: '/routes', text: title };

export const accountRoutePages: readonly DashboardRoute[] = [
  { method: 'get', path: '/routes', section, answer: showRoutes },
  ...formRoutes({ path: '/routes/new', section, access, show: showNew, submit: addRoute }),
  ...formRoutes({ path: '/routes/:name', section, access, show: showRoute, submit: changeRoute }),
  { method: 'get', path: '/routes/:name/usage', section, answer: showUsage },
  ...confirmationRoutes({ path: '/routes/:name/delete', section, access, ask: askToDelete, act: deleteRoute }),
];

async function showRoutes({ ask, api, base, caller }: DashboardRequest): Promise<DashboardResponse> {
  const [{ routes }, models, used] = await Promise.all([ask('listRoutes'), api.listModels(), readUsed(ask)]);
  const names = new Set(routes.map(({ name }) => name));
  const others = models.filter(({ id, route }) => route && !names.has(id));
  const obstacles = obstaclesOf(routes, models);
  const rights = { isOfAll: hasRole(caller, 'admin'), mayChange: hasRole(caller, 'owner') };
  const page = { base, routes, others, obstacles, ...rights };
  return { title, body: routesPage({ ...page, served: used && servedByName(routes, used) }) };
}

/** The page is shown without it if the ledger does not answer. */
const readUsed = (ask: DashboardRequest['ask']): Promise<readonly UsedRoute[] | undefined> =>
  ask('readRouteUsage').then(
    ({ routes }) => routes,
    () => undefined,
  );

function servedByName(routes: readonly RouteRecord[], used: readonly UsedRoute[]): ReadonlyMap<string, Served> {
  const byName = new Map(routes.map((route) => [route.name, route]));
  return new Map(
    used.flatMap((each) => {
      const route = byName.get(each.name);
      return route === undefined ? [] : [[each.name, servedOf(route, each)] as const];
    }),
  );
}

async function showUsage(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, base, caller } = request;
  const [route, { routes }] = await Promise.all([readRoute(request), ask('readRouteUsage')]);
  const used = routes.find(({ name }) => name === route.name);
  const projectOfShadow = route.shadow && (await projectIdOf(ask, route.shadow.project));
  return {
    title: `Usage of ${route.name}`,
    body: usagePage({ base, route, used, isOfAll: hasRole(caller, 'admin'), projectOfShadow }),
  };
}

/** A route names the project by its name or id. */
async function projectIdOf(ask: DashboardRequest['ask'], named: string): Promise<string | undefined> {
  const { projects } = await ask('listProjects');
  const byId = projects.find(({ id }) => id === named);
  return (byId ?? projects.find(({ name }) => name.toLowerCase() === named.toLowerCase()))?.id;
}

async function showNew(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const groups = routeGroups({ isNew: true });
  return formPage(request, state, { title: 'Add a route', back, groups, button: 'Add the route' });
}

/** The form of a new route replaces none. */
async function addRoute({ ask, fields }: DashboardRequest): Promise<DashboardResponse> {
  const name = (fields[nameField.name] ?? '').trim();
  const { routes } = await ask('listRoutes');
  if (routes.some((route) => route.name === name))
    throw problemAt(nameField.name, 'The account has a route of this name.');
  await ask('putRoute', { ...routeInput(fields), name });
  return { to: '/routes', notice: 'route-added' };
}

async function showRoute(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const route = await readRoute(request);
  const groups = routeGroups({ isNew: false });
  const between = html`<p class="small">
    <a href="${explainAddress(request.base, route.name)}">Explain this route</a>
  </p>`;
  return formPage(request, state, {
    title: route.name,
    back,
    groups,
    values: routeValues(route),
    button: 'Save',
    between,
  });
}

async function changeRoute(request: DashboardRequest): Promise<DashboardResponse> {
  const { name } = await readRoute(request);
  await request.ask('putRoute', { ...routeInput(request.fields), name });
  return { to: '/routes', notice: 'route-changed' };
}

async function askToDelete(request: DashboardRequest): Promise<ConfirmationPrompt> {
  const { name } = await readRoute(request);
  const text = 'Requests to this name then find no model, everywhere within a second.';
  return { title: `Delete ${name}?`, text, button: 'Delete the route', back: '/routes' };
}

async function deleteRoute({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('deleteRoute', { name: params['name'] });
  return { to: '/routes', notice: 'route-deleted' };
}

async function readRoute({ ask, params }: DashboardRequest): Promise<RouteRecord> {
  const { routes } = await ask('listRoutes');
  const found = routes.find(({ name }) => name === params['name']);
  if (found === undefined) throw new GatewayError('not_found', 'This route does not exist. It may have been deleted.');
  return found;
}
