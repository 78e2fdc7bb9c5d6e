import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import { geminiInteractions, newInteractionId } from '@tallyport/dialects';
import { type DeferTools, deferRequest, wantsBackground } from '../background/defer-request.ts';
import type { RunIdentity } from '../background/run-form.ts';
import type { DeferredRequest } from '../dialects/spoken-dialect.ts';
import { type InteractionResourceTools, streamed } from './interaction-resource.ts';
import { identityOf } from './interaction-runs.ts';
import { readContinuedInteraction } from './interact.ts';
import { interactionMustBeStored } from './refusals.ts';

export type DeferInteractionTools = InteractionResourceTools & Pick<DeferTools, 'maxStoredBytes'>;

/** `POST /v1beta/interactions` with `background`; `undefined` for other requests, and where no interactions are stored. */
export function deferInteraction(request: DeferredRequest, tools: DeferInteractionTools): ExchangeHandler | undefined {
  const { background, keepAliveMs, maxStoredBytes } = tools;
  const { body } = request;
  if (background === undefined || !wantsBackground(body)) return undefined;
  const api = {
    name: geminiInteractions.name,
    streamed,
    newId: () => newInteractionId(request.newId),
    async outline(now: DeferredRequest, exchange: IncomingExchange, run: RunIdentity) {
      if (body.store === false) throw interactionMustBeStored();
      const { call } = await readContinuedInteraction(now, exchange, { ...tools, identity: identityOf(run) });
      return { ...call.unanswered() };
    },
  };
  return deferRequest({ ...request, body }, api, { background, keepAliveMs, maxStoredBytes });
}
