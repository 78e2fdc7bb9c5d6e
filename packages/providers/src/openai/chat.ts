import { acceptedCallId } from '../accepted-call-id.ts';
import type { OpenAiEmbeddingsOptions } from '../openai-compatible/embeddings.ts';
import { openAiCompatible } from '../openai-compatible/chat.ts';
import { foreignMembers } from '../openai-compatible/foreign-members.ts';
import type { Quirks } from '../openai-compatible/quirks.ts';
import type { OpenAiSpeechOptions } from '../openai-compatible/speech.ts';
import type { OpenAiTranscriptionsOptions } from '../openai-compatible/transcriptions.ts';
import { openaiAddress } from './address.ts';
import { openAiBatches } from './batches.ts';
import { openaiMarking } from './marking.ts';
import { openaiChatRules, openaiModelRules } from './model-rules.ts';
import { asksResponses } from './asks-responses.ts';
import type { ChatsAsResponses } from '../openai-compatible/responses/either-api.ts';

/** The embeddings of OpenAI's own models, on every host that serves them. */
export const openaiEmbeddings: OpenAiEmbeddingsOptions = {
  base64: true,
  tokens: true,
  dimensions: { name: 'dimensions', except: /ada-002/ },
  user: true,
};

/** The speech of OpenAI's own models, on every host that serves them. */
export const openaiSpeech: OpenAiSpeechOptions = {
  formats: { mp3: 'mp3', opus: 'opus', aac: 'aac', flac: 'flac', wav: 'wav', pcm: 'pcm' },
  accepts: ['instructions', 'speed', 'stream_format', 'voice.id'],
  plain: /^tts-1/,
};

const whisperFields = ['language', 'prompt', 'temperature', 'timestamp_granularities[]'];
const everyField = [
  ...whisperFields,
  'chunking_strategy',
  'chunking_strategy[type]',
  'chunking_strategy[threshold]',
  'chunking_strategy[prefix_padding_ms]',
  'chunking_strategy[silence_duration_ms]',
  'include[]',
  'keywords[]',
  'known_speaker_names[]',
  'known_speaker_references[]',
  'languages[]',
  'stream',
];

/** The transcriptions of OpenAI's own models, on every host that serves them. */
export const openaiTranscriptions: OpenAiTranscriptionsOptions = {
  rules: [
    {
      models: /whisper/,
      formats: ['json', 'srt', 'verbose_json', 'vtt'],
      // It would ignore `stream`.
      fields: whisperFields,
      translate: true,
    },
    { models: /diarize/, formats: ['json', 'diarized_json'], fields: everyField.filter((name) => name !== 'prompt') },
    { formats: ['json'], fields: everyField },
  ],
};

/** Longer ids are refused, for example those that Gemini's models and agents' frameworks make up. */
const shortId = /^.{1,40}$/s;
const shortCallId = (id: string): string => acceptedCallId(id, shortId);

/** The quirks of OpenAI's own models, on every host that serves them. */
export const openaiQuirks: Quirks = {
  cacheMarks: ['prompt_cache_breakpoint'],
  developerRole: 'kept',
  refusals: 'kept',
  toolKinds: 'all',
  callId: shortCallId,
  request: {
    // Reasoning models refuse the old name; all models accept the new one.
    rename: { max_tokens: 'max_completion_tokens' },
    drop: foreignMembers,
    efforts: 'offered',
    mostStops: 4,
  },
  requestWhen: openaiModelRules,
};

/** Which chats of OpenAI's own models are asked for in the Responses API, on every host that serves them. */
export const openaiResponses: ChatsAsResponses = { asks: asksResponses, otherRules: openaiChatRules };

export const openai = openAiCompatible({
  ...openaiAddress,
  embeddings: openaiEmbeddings,
  moderations: { parts: true },
  decisions: { format: 'openai' },
  speech: openaiSpeech,
  transcriptions: openaiTranscriptions,
  realtime: true,
  responses: { whole: true, chats: openaiResponses },
  batches: openAiBatches,
  cacheMarking: openaiMarking,
  quirks: openaiQuirks,
});
