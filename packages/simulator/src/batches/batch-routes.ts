import {
  type ArrivedRequest,
  bearerOf,
  type FamilySettings,
  invalidRequest,
  isAcceptedKey,
  jsonReply,
  type Reply,
  type VendorRoute,
} from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import { dialectOf, refusalOf, wordedFor } from '../compatible/dialect.ts';
import type { CompatibleVendor } from '../compatible/vendor.ts';
import type { BatchDesk, SimulatedBatch } from './batch-desk.ts';
import type { VendorFiles } from './vendor-files.ts';

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

interface BatchesOfFiles {
  readonly desk: BatchDesk;
  readonly files: VendorFiles;
  /** Where batches are, such as `/batches`. */
  readonly root: string;
  /** What follows the id of a batch that is cancelled. */
  readonly cancel: string;
  /** Opens a batch of a file. */
  create(request: ArrivedRequest): SimulatedBatch | Reply;
  document(batch: SimulatedBatch): object;
}

/** Files that are uploaded and read, and batches of them that are opened, looked at and cancelled. */
export function batchesOfFiles(routeOf: BatchRoute, options: BatchesOfFiles): VendorRoute[] {
  const { desk, files, root, cancel, create, document } = options;
  const shown = (batch: SimulatedBatch | undefined): Reply | undefined => batch && jsonReply(200, document(batch));
  const place = `${root}/[^/:]+`;
  return [
    routeOf('POST', '/files', files.upload),
    routeOf('GET', '/files/[^/]+', files.show),
    routeOf('GET', '/files/[^/]+/content', files.content),
    routeOf('POST', root, (request) => {
      const batch = create(request);
      return 'kind' in batch ? batch : shown(batch);
    }),
    routeOf('GET', place, (request) => shown(desk.look(request, idIn(request, root)))),
    routeOf('POST', place + cancel, (request) => shown(desk.cancel(request, idIn(request, root)))),
  ];
}

/** The id of the batch that a path names. */
export const idIn = ({ path }: Pick<ArrivedRequest, 'path'>, root: string): string =>
  /^[^/:]*/.exec(path.slice(path.indexOf(`${root}/`) + root.length + 1))?.[0] ?? '';
