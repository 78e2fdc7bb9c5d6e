import type { ProviderPreferences } from '@tallyport/wire';
import type { PaidRequest } from '../paid-request.ts';
import type { RouteTools } from '../routes/route-tools.ts';
import { type AskedModel, askedModels } from './asked-models.ts';
import { planEach } from './plan-each.ts';
import { withStandIns } from './with-stand-ins.ts';

interface NamedModels {
  /** The request's own model. */
  model: string;
  /** The models that stand in for it, in their order; absent if it names one model. */
  standIns?: readonly string[] | undefined;
  preferences?: ProviderPreferences | undefined;
  routes: RouteTools;
}

/** Plans a request with each model that it names. Throws like `planWith` if none can serve it. */
export async function planModels(
  { model, standIns = [], preferences, routes }: NamedModels,
  planWith: (asked: AskedModel, before: readonly PaidRequest[]) => Promise<PaidRequest>,
): Promise<PaidRequest> {
  const { models } = await askedModels([model, ...standIns], routes);
  const [only] = models;
  if (only !== undefined && models.length === 1) return planWith(only, []);
  const each = await planEach(models, { planWith, planOf: ({ plan }) => plan, preferences });
  return withStandIns(each, model);
}
