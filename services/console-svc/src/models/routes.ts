import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { filterModels, readModelFilter } from './model-filter.ts';
import { modelPage } from './model-page.ts';
import { modelsPage } from './view.ts';

const section = 'models';
const scripts = ['copy.js'] as const;

export const modelRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/models', section, answer: showModels },
  { method: 'get', path: '/models/:id', section, answer: showModel },
];

async function showModels({ base, query, api }: DashboardRequest): Promise<DashboardResponse> {
  const filter = readModelFilter(query);
  const models = await api.listModels();
  const compared = filter.compared.flatMap((id) => models.find((model) => model.id === id) ?? []);
  const page = { base, filter, found: filterModels(models, filter), compared, choices: choicesOf(models) };
  return { title: 'Models', body: modelsPage(page), scripts };
}

const choicesOf = (models: readonly CatalogueModel[]) => ({
  providers: sorted(models.flatMap(({ providers }) => providers.map(({ providerId }) => providerId))),
  outputs: sorted(models.flatMap(({ architecture }) => architecture.output_modalities)),
});

const sorted = (names: readonly string[]): string[] => [...new Set(names)].toSorted();

async function showModel({ base, params, api }: DashboardRequest): Promise<DashboardResponse> {
  const model = await api.findModel(params['id'] ?? '');
  return { title: model.name, body: modelPage(base, model), scripts };
}
