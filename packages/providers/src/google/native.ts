import { replaceMembers } from '@tallyport/wire';
import { refusesThinking } from '../conversation/forgotten-thinking.ts';
import { withNativeMembers } from '../native-members.ts';
import type { NativeCall, NativeFormat } from '../spec/provider.ts';
import { geminiCounting } from './counting.ts';
import { fitsGemini } from './native-fit.ts';

/** Requests of clients of the Gemini API. */
export const nativeGemini = (path: (modelName: string) => string): NativeFormat => ({
  fits: fitsGemini,
  isRefused: refusesThinking,
  request: (call, { modelName }) => ({
    method: 'POST',
    path: `${path(modelName)}:${call.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: { 'content-type': 'application/json', accept: call.stream ? 'text/event-stream' : 'application/json' },
    body: nativeBody(call, modelName),
  }),
  answerModel: ['modelVersion'],
  eventModel: () => ['modelVersion'],
  // Events have no names, so only their content shows what they hold.
  openings: new Set(),
  counting: geminiCounting(path),
});

const configs = ['generationConfig', 'generation_config'];
const limits = ['maxOutputTokens', 'max_output_tokens'];

/** The model is in the path; a body may repeat it. */
function nativeBody(call: NativeCall, modelName: string): Buffer {
  const { limit = 0, maxOutput = Infinity } = call;
  const lowered = limit > maxOutput ? configs.flatMap((config) => limits.map((name) => [config, name])) : [];
  const body = replaceMembers(call.body, [
    { path: ['model'], value: JSON.stringify(`models/${modelName}`) },
    ...lowered.map((path) => ({ path, value: String(maxOutput) })),
  ]);
  if (!call.standardTier) return body;
  const name = Object.hasOwn(call.members, 'service_tier') ? 'service_tier' : 'serviceTier';
  return withNativeMembers({ ...call, body }, [{ path: [name], value: '"standard"' }]);
}
