import { openAiCompatible } from '../openai-compatible/chat.ts';
import type { ChatProvider } from '../spec/provider.ts';
import type { TranscriptionRules } from '../openai-compatible/transcriptions.ts';

const everything: TranscriptionRules = {
  formats: ['json', 'srt', 'verbose_json', 'vtt'],
  fields: ['language', 'prompt', 'stream', 'temperature', 'timestamp_granularities[]'],
  translate: true,
};

/** Simulated providers. One server plays all of them, each under its own path, so that each can fail on its own. */
const sandbox = (id: string): ChatProvider =>
  openAiCompatible({
    id,
    baseUrl: 'http://127.0.0.1:4010',
    keyVariable: 'SANDBOX',
    auth: { kind: 'none' },
    path: `/${id}/v1/chat/completions`,
    embeddings: {
      path: `/${id}/v1/embeddings`,
      base64: true,
      tokens: true,
      dimensions: { name: 'dimensions' },
      user: true,
    },
    moderations: { path: `/${id}/v1/moderations`, parts: true },
    decisions: { format: 'openai', path: `/${id}/v1/decisions` },
    rerank: { path: `/${id}/v1/rerank`, accepts: ['max_tokens_per_doc', 'priority', 'truncation'] },
    speech: {
      path: `/${id}/v1/audio/speech`,
      formats: { mp3: 'mp3', wav: 'wav', pcm: 'pcm' },
      accepts: ['instructions', 'speed', 'stream_format', 'voice.id'],
    },
    transcriptions: { path: `/${id}/v1/audio`, rules: [everything] },
    quirks: { toolKinds: 'all' },
  });

export const sandboxA = sandbox('sandbox-a');
export const sandboxB = sandbox('sandbox-b');
export const sandboxC = sandbox('sandbox-c');
