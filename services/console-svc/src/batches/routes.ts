import { hasRole } from '@tallyport/management';
import type { Html } from '@tallyport/pages';
import { type ConfirmationPrompt, confirmationRoutes } from '../screen/form-routes.ts';
import { readKeyNames } from '../screen/key-names.ts';
import { readProjectNames } from '../screen/project-names.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { batchFigures } from './figures.ts';
import { batchesPage, batchPage, batchTitle } from './view.ts';

const section = 'batches';
const path = '/batches';

export const batchPages: readonly DashboardRoute[] = [
  {
    method: 'get',
    path,
    section,
    answer: async (request) => ({ title: 'Batches', content: () => listedBatches(request) }),
  },
  { method: 'get', path: `${path}/:id`, section, answer: showBatch },
  ...confirmationRoutes({ path: `${path}/:id/cancel`, section, ask: askToCancel, act: cancel }),
];

const pageSize = 50;

async function listedBatches({ ask, base, caller, query }: DashboardRequest): Promise<Html> {
  const cursor = query['before'] || undefined;
  const { batches, nextCursor } = await ask('listAccountBatches', { limit: pageSize, cursor });
  return batchesPage({ base, batches, nextCursor, isFirst: cursor === undefined, onlyOwn: !hasRole(caller, 'admin') });
}

async function showBatch(request: DashboardRequest): Promise<DashboardResponse> {
  const { base, account, query } = request;
  const batch = await read(request);
  const title = batchTitle(batch);
  const now = new Date();
  // What live.js asks for.
  if (query['only'] === 'figures') return { title, body: batchFigures(batch, now) };
  const [keyName, projectName] = await Promise.all([readKeyNames(request, [batch.keyId]), readProjectNames(request)]);
  const names = { keyName: keyName(batch.keyId), projectName: batch.projectId && projectName(batch.projectId) };
  const body = batchPage({ base, batch, account: account.id, now, ...names });
  return { title, body, scripts: ['copy.js', 'live.js'] };
}

const read = ({ ask, params }: DashboardRequest) => ask('readAccountBatch', { id: params['id'] });

async function askToCancel(request: DashboardRequest): Promise<ConfirmationPrompt> {
  const { id } = await read(request);
  return {
    title: 'Cancel the batch?',
    text: 'Lines that run are finished and paid for. The others are not run, and the results so far can be downloaded.',
    button: 'Cancel the batch',
    back: `${path}/${id}`,
  };
}

async function cancel({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  const { id } = await ask('cancelAccountBatch', { id: params['id'] });
  return { to: `${path}/${id}`, notice: 'batch-cancelled' };
}
