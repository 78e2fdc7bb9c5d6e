import type { PaidRequest } from '../paid-request.ts';
import { type NamedModels, planEach } from './plan-each.ts';
import { withStandIns } from './with-stand-ins.ts';

/** Plans a request with each model that it names. Throws like `planWith` if none can serve it. */
export async function planModels(
  named: NamedModels,
  planWith: (name: string) => Promise<PaidRequest>,
): Promise<PaidRequest> {
  const { model } = named;
  if (named.standIns === undefined) return planWith(model);
  const each = await planEach(named, planWith, ({ plan }) => plan);
  return withStandIns(each.own, each.standIns, model);
}
