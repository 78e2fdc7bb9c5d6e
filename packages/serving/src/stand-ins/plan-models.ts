import type { PaidRequest } from '../paid-request.ts';
import { planEach } from './plan-each.ts';
import { withStandIns } from './with-stand-ins.ts';

interface NamedModels {
  /** The request's own model. */
  model: string;
  /** The models that stand in for it, in their order; absent if it names one model. */
  standIns?: readonly string[] | undefined;
}

/** Plans a request with each model that it names. Throws like `planWith` if none can serve it. */
export async function planModels(
  { model, standIns }: NamedModels,
  planWith: (name: string) => Promise<PaidRequest>,
): Promise<PaidRequest> {
  if (standIns === undefined) return planWith(model);
  const each = await planEach([model, ...standIns], planWith);
  return withStandIns(each.own, each.standIns, model);
}
