import { GatewayError } from '@tallyport/contracts';
import { camelNamed } from '@tallyport/dialects';
import type { ClientEvent } from '../client-event.ts';
import type { LiveMessage } from './client-message.ts';
import { textTokens } from './media-tokens.ts';
import { refuseCostlyTools } from './tools.ts';

interface Setup {
  model: string;
  /** Whether the model answers with audio. */
  speaks: boolean;
  event: ClientEvent;
}

/** Others could cost what is not counted, such as a video of an avatar. */
const members: ReadonlySet<string> = new Set([
  'model',
  'generationConfig',
  'systemInstruction',
  'tools',
  'realtimeInputConfig',
  'sessionResumption',
  'contextWindowCompression',
  'inputAudioTranscription',
  'outputAudioTranscription',
  'proactivity',
  'historyConfig',
  'explicitVadSignal',
  'safetySettings',
]);

const longestModel = 200;
/** Instructions and tools. */
const largestSetup = 1024 * 1024;

export function readSetup({ members: setup, length }: LiveMessage): Setup {
  if (length > largestSetup) throw invalid('setup', `it has more than ${largestSetup} bytes. Send less.`);
  const unknown = Object.keys(setup).find((name) => !members.has(name));
  if (unknown !== undefined) throw invalid(`setup.${unknown.slice(0, 40)}`, 'it is not served here. Leave it out.');
  refuseCostlyTools(setup.tools);
  const { maxOutputTokens, responseModalities } = camelNamed(setup.generationConfig);
  return {
    model: modelIn(setup.model),
    speaks: !Array.isArray(responseModalities) || responseModalities.some((each) => each !== 'TEXT'),
    event: {
      effect: 'none',
      adds: { text: textTokens(length), audio: 0 },
      mostOutput: limitIn(maxOutputTokens),
    },
  };
}

function modelIn(model: unknown): string {
  const name = typeof model === 'string' ? model.replace(/^models\//, '') : '';
  if (name === '' || name.length > longestModel) throw invalid('setup.model', 'name a model, such as models/…');
  return name;
}

function limitIn(limit: unknown): number | undefined {
  if (limit === undefined) return undefined;
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0) return limit;
  throw invalid('setup.generationConfig.maxOutputTokens', 'it must be a whole number above 0.');
}

const invalid = (param: string, what: string): GatewayError =>
  new GatewayError('invalid_parameters', `${param}: ${what}`, { param });
