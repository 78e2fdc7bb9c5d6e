import { lookUp, same } from './endpoint-parts.ts';
import type { Endpoint } from './endpoint.ts';
import { messagesErrors } from './error-forms/messages-errors.ts';

const ofBatches = { ...lookUp, service: 'batch', holdsContent: true } as const;
const ofMessages = { ...ofBatches, errors: messagesErrors } as const;
const json = ['application/json'] as const;

/** Many requests at once, which are answered within a day, in the APIs of OpenAI and of Anthropic. */
export const batchEndpoints = [
  {
    ...ofBatches,
    method: 'POST',
    path: '/v1/batches',
    exchange: 'createBatch',
    accepts: json,
    sdk: same('batches.create'),
  },
  { ...ofBatches, path: '/v1/batches', exchange: 'listBatches', sdk: same('batches.list') },
  {
    ...ofBatches,
    method: 'POST',
    path: '/v1/batches/{id}/cancel',
    exchange: 'cancelBatch',
    sdk: same('batches.cancel', 1),
  },
  { ...ofBatches, path: '/v1/batches/{id}', exchange: 'getBatch', sdk: same('batches.retrieve', 0) },
  {
    ...ofMessages,
    method: 'POST',
    path: '/v1/messages/batches',
    exchange: 'createMessageBatch',
    accepts: json,
    streamsBody: true,
  },
  { ...ofMessages, path: '/v1/messages/batches', exchange: 'listMessageBatches' },
  { ...ofMessages, path: '/v1/messages/batches/{id}/results', exchange: 'messageBatchResults' },
  { ...ofMessages, method: 'POST', path: '/v1/messages/batches/{id}/cancel', exchange: 'cancelMessageBatch' },
  { ...ofMessages, path: '/v1/messages/batches/{id}', exchange: 'getMessageBatch' },
  { ...ofMessages, method: 'DELETE', path: '/v1/messages/batches/{id}', exchange: 'deleteMessageBatch' },
] as const satisfies readonly Endpoint[];
