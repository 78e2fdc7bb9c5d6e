import type { RealtimeFormat } from '../spec/call-formats.ts';

/** OpenAI's realtime sessions. One that transcribes is opened without a model, which its client names in it. */
export const openAiRealtime: RealtimeFormat = {
  request: ({ beta, transcribes }, { modelName }) => ({
    method: 'GET',
    path: `/realtime?${transcribes ? 'intent=transcription' : `model=${encodeURIComponent(modelName)}`}`,
    headers: { ...(beta !== undefined && { 'openai-beta': beta }) },
    body: '',
  }),
};
