import { z } from 'zod';
import type { EndpointDescription } from '../description.ts';

export const realtimeDescription: EndpointDescription = {
  id: 'openRealtime',
  tag: 'Audio',
  summary: "Opens a realtime session as a WebSocket, in the format of OpenAI's Realtime API.",
  description: `Messages are passed on unchanged in both directions. Each response of the session is recorded and paid for by itself; a
budget that ends closes the session. Another provider is tried only before the session has begun. With \`intent=transcription\`
it writes down what it hears, and its client names the model in the session. See the page about realtime
sessions for limits and errors.`,
  parameters: [
    {
      name: 'model',
      in: 'query',
      description: 'A model whose output modality is `realtime`; needed unless the session only transcribes.',
      schema: z.string().optional(),
      example: 'gpt-realtime-2.1',
    },
    {
      name: 'intent',
      in: 'query',
      description: 'For a session without responses.',
      schema: z.literal('transcription').optional(),
      example: 'transcription',
    },
  ],
  answers: { 101: { description: 'The connection is a WebSocket from here on.' } },
};
