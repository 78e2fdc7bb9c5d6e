import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { newResponseId, openAiResponses } from '@tallyport/dialects';
import { type DeferTools, deferRequest, wantsBackground } from '../background/defer-request.ts';
import type { RunIdentity } from '../background/run-form.ts';
import type { DeferredRequest } from '../dialects/spoken-dialect.ts';
import { mustBeStored } from './refusals.ts';
import { readContinued, recordBlocked } from './respond.ts';
import type { ResourceTools } from './stored-resource.ts';

export type DeferResponseTools = ResourceTools & Pick<DeferTools, 'maxStoredBytes'>;

/** `POST /v1/responses` with `background`; `undefined` for other requests, and where no responses are stored. */
export function deferResponse(request: DeferredRequest, tools: DeferResponseTools): ExchangeHandler | undefined {
  const { background, keepAliveMs, maxStoredBytes } = tools;
  const { body } = request;
  if (background === undefined || !wantsBackground(body)) return undefined;
  const { name, errors } = openAiResponses;
  const api = {
    name,
    streamed: { errors },
    newId: () => newResponseId(request.newId),
    async outline(now: DeferredRequest, exchange: IncomingExchange, { id, createdAt }: RunIdentity) {
      if (body.store === false) throw mustBeStored();
      const identity = { id, created_at: Math.floor(createdAt / 1000) };
      const reading = readContinued(now, exchange, { ...tools, identity });
      const { call } = await recordBlocked(reading, { request, exchange }, tools);
      return call.unanswered({ status: 'queued' });
    },
  };
  return deferRequest({ ...request, body }, api, { background, keepAliveMs, maxStoredBytes });
}
