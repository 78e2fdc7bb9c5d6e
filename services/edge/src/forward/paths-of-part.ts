import { expressPath, type ManagementPart } from '@tallyport/management';
import type { ServicePath } from './service-routes.ts';

/** The paths of the part of the management API that a service answers. */
export const pathsOfPart = (part: ManagementPart): readonly ServicePath[] =>
  part.paths.map((path) => ({ path: `/api/v1${expressPath(path)}`, maxBodyBytes: part.bodyBytes(path) }));
