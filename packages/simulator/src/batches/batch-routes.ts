import {
  type ArrivedRequest,
  bearerOf,
  type FamilySettings,
  invalidRequest,
  isAcceptedKey,
  type Reply,
  type VendorRoute,
} from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import { dialectOf, refusalOf, wordedFor } from '../compatible/dialect.ts';
import type { CompatibleVendor } from '../compatible/vendor.ts';

type Answer = (request: ArrivedRequest) => Reply | undefined;
type BatchRoute = (method: VendorRoute['method'], path: string, answer: Answer) => VendorRoute;

/** Writes routes of files and batches; without an answer they have 404. A fault can be limited by the models `file` and `batch`. */
export const batchRoutesOf =
  (vendor: CompatibleVendor, { apiKeys }: FamilySettings): BatchRoute =>
  (method, path, answer) => ({
    method,
    path: new RegExp(`^${basePathOf(vendor.id)}${path}$`),
    provider: vendor.id,
    faulty: true,
    dialect: dialectOf(vendor),
    answer(request) {
      const model = path.startsWith('/files') ? 'file' : 'batch';
      if (!isAcceptedKey(bearerOf(request.headers), apiKeys))
        return { model, answer: refusalOf(vendor, wordedFor(vendor, 401)) };
      const unknown = { ...invalidRequest('No such object.', null), status: 404 };
      return { model, answer: answer(request) ?? refusalOf(vendor, unknown) };
    },
  });
