import { type CountedTokens, tokensOfRealtime } from '@tallyport/pricing';
import { memberValue } from '@tallyport/wire';
import { parsedJson } from '../parsed-json.ts';
import { reportedCount, type ReportedMembers, reportedMembers } from './reported.ts';

/** What a message of the vendor means for money. Everything else is passed on unread. */
export type ServerEvent =
  | { type: 'created'; id: string }
  | { type: 'done'; id: string; isFailed: boolean; counted: CountedTokens | undefined }
  | { type: 'updated'; transcription: string | null | undefined }
  | { type: 'committed'; item: string }
  | { type: 'transcribed'; item: string; use: TranscribedUse }
  | { type: 'untranscribed'; item: string }
  | { type: 'error' }
  | { type: 'other' };

/** As the vendor reports what it wrote down. */
export interface TranscribedUse {
  seconds?: number;
  tokens?: { input: number; audio: number; output: number };
}

const transcription = 'conversation.item.input_audio_transcription';

export function readServerEvent(bytes: Buffer): ServerEvent {
  switch (textOf(memberValue(bytes, 'type'))) {
    case 'response.created':
      return { type: 'created', id: idOf(memberValue(bytes, 'response')) };
    case 'response.done':
      return doneOf(memberValue(bytes, 'response'));
    case 'session.updated':
    case 'transcription_session.updated':
      return { type: 'updated', transcription: transcriptionOf(memberValue(bytes, 'session')) };
    case 'input_audio_buffer.committed':
      return { type: 'committed', item: itemOf(bytes) };
    case `${transcription}.completed`:
      return { type: 'transcribed', item: itemOf(bytes), use: transcribedOf(memberValue(bytes, 'usage')) };
    case `${transcription}.failed`:
      return { type: 'untranscribed', item: itemOf(bytes) };
    case 'error':
      return { type: 'error' };
    default:
      return { type: 'other' };
  }
}

/** Ids are a vendor's text and kept while the response runs. */
const longestId = 200;

const idOf = (response: Buffer | undefined): string => shortText(response && memberValue(response, 'id'));

const itemOf = (event: Buffer): string => shortText(memberValue(event, 'item_id'));

const shortText = (json: Buffer | undefined): string => textOf(json)?.slice(0, longestId) ?? '';

/** The model that writes audio down from here on, `null` for none; absent if the vendor does not say. */
function transcriptionOf(session: Buffer | undefined): string | null | undefined {
  const { audio, input_audio_transcription: before } = objectOf(session) ?? {};
  const { transcription: now = before } = reportedMembers(reportedMembers(audio).input);
  if (now === null) return null;
  const { model } = reportedMembers(now);
  return typeof model === 'string' ? model : undefined;
}

function doneOf(response: Buffer | undefined): ServerEvent {
  const usage = objectOf(response && memberValue(response, 'usage'));
  const isFailed = textOf(response && memberValue(response, 'status')) === 'failed';
  return { type: 'done', id: idOf(response), isFailed, counted: usage && countedOf(usage) };
}

function countedOf(usage: ReportedMembers): CountedTokens {
  const read = reportedMembers(usage.input_token_details);
  const cached = reportedMembers(read.cached_tokens_details);
  const written = reportedMembers(usage.output_token_details);
  return tokensOfRealtime({
    input: reportedCount(usage.input_tokens),
    audioIn: reportedCount(read.audio_tokens),
    imageIn: reportedCount(read.image_tokens),
    cached: reportedCount(read.cached_tokens),
    cachedAudio: reportedCount(cached.audio_tokens),
    cachedImage: reportedCount(cached.image_tokens),
    output: reportedCount(usage.output_tokens),
    audioOut: reportedCount(written.audio_tokens),
  });
}

function transcribedOf(json: Buffer | undefined): TranscribedUse {
  const usage = objectOf(json) ?? {};
  if (usage.type === 'duration') return { seconds: reportedCount(usage.seconds) };
  const input = reportedCount(usage.input_tokens);
  const { audio_tokens: reported } = reportedMembers(usage.input_token_details);
  const audio = Math.min(reported === undefined ? input : reportedCount(reported), input);
  return { tokens: { input: input - audio, audio, output: reportedCount(usage.output_tokens) } };
}

function objectOf(json: Buffer | undefined): ReportedMembers | undefined {
  const value = json && parsedJson(json);
  return typeof value === 'object' && value !== null ? reportedMembers(value) : undefined;
}

function textOf(json: Buffer | undefined): string | undefined {
  const value = json && parsedJson(json);
  return typeof value === 'string' ? value : undefined;
}
