import { type ApiError, invalidRequest, openAiUnknownModel, type TranscriptionForm } from '@tallyport/sandbox';
import { unknownParameter } from './value-checks.ts';

const ofAll = ['model', 'response_format', 'prompt', 'temperature'];
const ofTranscriptions = [
  'chunking_strategy',
  'chunking_strategy[type]',
  'chunking_strategy[threshold]',
  'chunking_strategy[prefix_padding_ms]',
  'chunking_strategy[silence_duration_ms]',
  'include[]',
  'keywords[]',
  'known_speaker_names[]',
  'known_speaker_references[]',
  'language',
  'languages[]',
  'stream',
  'timestamp_granularities[]',
];

/** Refuses unknown fields, and formats and tasks that the model lacks, as OpenAI does. */
export function findUnknownTranscriptionField({ task, fields }: TranscriptionForm): ApiError | undefined {
  const known = task === 'translate' ? ofAll : [...ofAll, ...ofTranscriptions];
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) return unknownParameter(unknown);
  const { model = '', response_format: format = 'json' } = fields;
  if (!/whisper|transcribe/.test(model)) return openAiUnknownModel(model);
  const isWhisper = model.startsWith('whisper');
  if (task === 'translate' && !isWhisper) return invalidRequest('This model does not translate.', 'model');
  if (isWhisper || format === 'json' || (format === 'text' && model.includes('diarize'))) return undefined;
  return invalidRequest(`response_format '${format}' is not compatible with this model.`, 'response_format');
}
