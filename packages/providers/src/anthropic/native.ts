import type { Offer } from '@tallyport/contracts';
import type { JsonChange } from '@tallyport/wire';
import { markedMessages } from '../cache-marks/marked-messages.ts';
import { refusesThinking } from '../conversation/forgotten-thinking.ts';
import { withNativeMembers } from '../native-members.ts';
import type { NativeCall, NativeFormat } from '../spec/provider.ts';
import { messagesCounting } from './counting.ts';
import { claudeRules } from './models.ts';
import { anthropicVersion, fitsModel } from './native-fit.ts';

/** Requests of clients of the Messages API. */
export const nativeMessages: NativeFormat = {
  fits: fitsModel,
  isRefused: refusesThinking,
  marked: markedMessages,
  request: (call, offer) => ({
    method: 'POST',
    path: '/messages',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': anthropicVersion,
      accept: call.stream ? 'text/event-stream' : 'application/json',
      ...call.headers,
    },
    body: nativeBody(call, offer),
  }),
  answerModel: ['model'],
  eventModel: (event) => (event === 'message_start' ? ['message', 'model'] : undefined),
  ending: { event: 'message_stop', data: Buffer.from('{"type":"message_stop"}') },
  openings: new Set(['content_block_start', 'message_start', 'ping']),
  counting: messagesCounting,
};

const nativeBody = (call: NativeCall, offer: Offer): Buffer =>
  withNativeMembers(call, [
    { path: ['model'], value: JSON.stringify(offer.modelName) },
    ...(call.standardTier ? [{ path: ['service_tier'], value: '"standard_only"' }] : []),
    ...loweredLimit(call, offer),
  ]);

/** A limit above the model's is lowered to it. */
export function loweredLimit({ limit = 0, maxOutput }: NativeCall, { modelName }: Offer): JsonChange[] {
  const most = maxOutput ?? claudeRules(modelName).maxOutput;
  return limit > most ? [{ path: ['max_tokens'], value: String(most) }] : [];
}
