import type { RealtimeFormat } from '../spec/call-formats.ts';

/** OpenAI's realtime sessions. */
export const openAiRealtime: RealtimeFormat = {
  request: ({ beta }, { modelName }) => ({
    method: 'GET',
    path: `/realtime?model=${encodeURIComponent(modelName)}`,
    headers: { ...(beta !== undefined && { 'openai-beta': beta }) },
    body: '',
  }),
};
