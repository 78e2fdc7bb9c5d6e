import type { Offer } from '@tallyport/contracts';
import { type MultipartPart, joinForm } from '@tallyport/wire';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { faultIn } from './error.ts';
import type { OpenAiVendor } from './vendor.ts';
import type { TranscriptionsFormat } from '../spec/call-formats.ts';
import { finiteNumber, isMembers, type Members, members } from '../read.ts';
import type { TranscriptEnding, TranscriptFormat, TranscriptionCall } from '../spec/transcription-call.ts';

/** What one kind of models accepts. */
export interface TranscriptionRules {
  /** The models; all when absent. */
  models?: RegExp;
  formats: readonly TranscriptFormat[];
  /** Fields besides the file, the model and the format. */
  fields: readonly string[];
  translate?: true;
}

/** How a vendor deviates from OpenAI's transcriptions. */
export interface OpenAiTranscriptionsOptions {
  /** Defaults to `/audio`. */
  path?: string;
  /** The first rules that match a model apply. */
  rules: readonly TranscriptionRules[];
}

/** OpenAI's transcriptions and translations, and those of vendors with their format. */
export const openAiTranscriptions = (
  vendor: OpenAiVendor,
  { path = '/audio', rules }: OpenAiTranscriptionsOptions,
): TranscriptionsFormat => ({
  unsupported: (call, offer) => unsupported(call, rulesOf(offer, rules)),
  request: (call, { modelName }) => ({
    method: 'POST',
    path: `${path}/${call.task === 'translate' ? 'translations' : 'transcriptions'}`,
    headers: { 'content-type': `multipart/form-data; boundary=${quoted(call.boundary)}`, accept: '*/*' },
    body: joinForm([...fieldsOf(call, modelName), call.file], call.boundary),
  }),
  response(body, call) {
    const parsed = parsedIn(body);
    const fault = faultIn(members(parsed), vendor);
    if (fault !== undefined) throw fault;
    if (call.format === 'srt' || call.format === 'vtt') return { body, ...given({ seconds: lastCueEnd(body) }) };
    if (!isMembers(parsed) || typeof parsed.text !== 'string')
      throw unreadableAnswer(vendor.id, 'There is no transcript in the answer.');
    const shown = call.format === 'text' ? Buffer.from(`${parsed.text}\n`) : body;
    return { body: shown, ...endingIn(parsed) };
  },
  fault: (body) => faultIn(members(body), vendor),
  ending: (event) => (members(event).type === 'transcript.text.done' ? endingIn(members(event)) : undefined),
});

const rulesOf = ({ modelName }: Offer, rules: readonly TranscriptionRules[]): TranscriptionRules | undefined =>
  rules.find(({ models }) => models?.test(modelName) !== false);

function unsupported(call: TranscriptionCall, rules: TranscriptionRules | undefined): string | undefined {
  if (rules === undefined || (call.task === 'translate' && rules.translate !== true)) return 'model';
  if (!rules.formats.includes(vendorFormat(call))) return 'response_format';
  return call.fields.find(({ name }) => !rules.fields.includes(name))?.name;
}

/** Plain text lacks the length of the audio, so JSON is requested and its text returned. */
const vendorFormat = ({ format }: TranscriptionCall): TranscriptFormat => (format === 'text' ? 'json' : format);

const quoted = (boundary: string): string => (/^[\w-]+$/.test(boundary) ? boundary : `"${boundary}"`);

const fieldsOf = (call: TranscriptionCall, modelName: string): MultipartPart[] => [
  fieldPart('model', modelName),
  fieldPart('response_format', vendorFormat(call)),
  ...call.fields,
];

const fieldPart = (name: string, value: string): MultipartPart => ({ name, content: Buffer.from(value) });

function parsedIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** `usage` counts tokens or seconds; without it, `duration` is in the long formats. */
function endingIn({ usage, duration }: Members): TranscriptEnding {
  const { type, seconds, input_tokens, output_tokens, input_token_details } = members(usage);
  const [input, output] = [finiteNumber(input_tokens), finiteNumber(output_tokens)];
  if (type !== 'duration' && input !== undefined && output !== undefined) {
    const audio = Math.min(finiteNumber(members(input_token_details).audio_tokens) ?? input, input);
    return { tokens: { input: input - audio, audio, output } };
  }
  return given({ seconds: finiteNumber(seconds) ?? finiteNumber(Number(duration ?? Number.NaN)) });
}

const given = ({ seconds }: { seconds: number | undefined }): TranscriptEnding =>
  seconds === undefined ? {} : { seconds };

/** `00:01:02,500` in SRT, `01:02.500` in VTT. */
function lastCueEnd(body: Uint8Array): number | undefined {
  const ends = [
    ...Buffer.from(body)
      .toString('latin1')
      .matchAll(/--> (?:(\d+):)?(\d\d):(\d\d)[.,](\d{3})/g),
  ];
  const [, hours = '0', minutes = '0', seconds = '0', thousandths = '0'] = ends.at(-1) ?? [];
  return ends.length === 0
    ? undefined
    : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(thousandths) / 1_000;
}
