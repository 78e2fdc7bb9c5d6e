import { z } from 'zod';
import type { EndpointDescription } from '../description.ts';

export const realtimeDescription: EndpointDescription = {
  id: 'openRealtime',
  tag: 'Audio',
  summary: "Opens a realtime session as a WebSocket, in the format of OpenAI's Realtime API.",
  description: `Messages are passed on unchanged in both directions. Each response of the session is recorded and paid for by itself; a
budget that ends closes the session. Another provider is tried only before the session has begun. See the page about realtime
sessions for limits and errors.`,
  parameters: [
    {
      name: 'model',
      in: 'query',
      description: 'A model whose output modality is `realtime`.',
      schema: z.string(),
      example: 'gpt-realtime-2.1',
    },
  ],
  answers: { 101: { description: 'The connection is a WebSocket from here on.' } },
};
