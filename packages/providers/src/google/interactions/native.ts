import { withNativeMembers } from '../../native-members.ts';
import type { NativeCall, NativeFormat } from '../../spec/provider.ts';
import { interactionCompletion } from './answer.ts';
import { fitsInteractions } from './native-fit.ts';
import { createInteractionReader } from './stream.ts';

/** Requests of clients of the Interactions API. */
export const nativeInteractions = (providerId: string): NativeFormat => ({
  fits: fitsInteractions,
  request: (call, { modelName }) => ({
    method: 'POST',
    path: '/interactions',
    headers: { 'content-type': 'application/json', accept: call.stream ? 'text/event-stream' : 'application/json' },
    body: nativeBody(call, modelName),
  }),
  reading: {
    response: (body, context) => interactionCompletion(body, { ...context, providerId }),
    stream: (context) => createInteractionReader({ ...context, providerId }),
  },
  answerModel: ['model'],
  eventModel: () => ['interaction', 'model'],
  openings: new Set(['interaction.created', 'interaction.status_update', 'step.start']),
});

/** The vendor stores nothing: its ids are those of the gateway's account. */
function nativeBody(call: NativeCall, modelName: string): Buffer {
  const { limit = 0, maxOutput = Infinity, standardTier } = call;
  return withNativeMembers(call, [
    { path: ['model'], value: JSON.stringify(modelName) },
    { path: ['store'], value: 'false' },
    ...(limit > maxOutput ? [{ path: ['generation_config', 'max_output_tokens'], value: String(maxOutput) }] : []),
    ...(standardTier ? [{ path: ['service_tier'], value: '"standard"' }] : []),
  ]);
}
