import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { filterModels, readModelFilter } from './model-filter.ts';
import { readMeasured } from './measured.ts';
import { modelPage } from './model-page.ts';
import { readGroupCosts } from '../usage/group-costs.ts';
import { usageStrip } from '../usage/usage-strip.ts';
import { modelsPage, shownModels } from './view.ts';

const section = 'models';
const scripts = ['copy.js'] as const;

export const modelRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/models', section, answer: showModels },
  { method: 'get', path: '/models/:id', section, answer: showModel },
];

async function showModels(request: DashboardRequest): Promise<DashboardResponse> {
  const { base, query, api } = request;
  const filter = readModelFilter(query);
  const models = await api.listModels();
  const chosen = filter.compared.flatMap((id) => models.find((model) => model.id === id) ?? []);
  const found = filterModels(models, filter);
  const ids = shownModels(found, filter).map(({ id }) => id);
  const [compared, costs] = await Promise.all([
    Promise.all(chosen.map(async (model) => ({ model, measured: await readMeasured(request, model.id) }))),
    readGroupCosts(request, 'model', ids),
  ]);
  const page = { base, filter, found, costs, compared, choices: choicesOf(models) };
  return { title: 'Models', body: modelsPage(page), scripts };
}

const choicesOf = (models: readonly CatalogueModel[]) => ({
  providers: sorted(models.flatMap(({ providers }) => providers.map(({ providerId }) => providerId))),
  outputs: sorted(models.flatMap(({ architecture }) => architecture.output_modalities)),
});

const sorted = (names: readonly string[]): string[] => [...new Set(names)].toSorted();

async function showModel(request: DashboardRequest): Promise<DashboardResponse> {
  const { base, publicUrl, params, api } = request;
  const model = await api.findModel(params['id'] ?? '');
  const [usage, measured] = await Promise.all([
    usageStrip(request, { model: model.id }),
    readMeasured(request, model.id),
  ]);
  return { title: model.name, body: modelPage({ base, publicUrl, model, measured, usage }), scripts };
}
