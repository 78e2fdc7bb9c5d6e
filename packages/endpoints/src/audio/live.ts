import type { EndpointDescription } from '../description.ts';

export const liveDescription: EndpointDescription = {
  id: 'openLive',
  tag: 'Gemini',
  summary: "Opens a session as a WebSocket, in the format of Google's Live API.",
  description: `The first message is \`setup\`, which names a model of Google whose output modality is \`realtime\`. Messages are passed on
unchanged in both directions. Each \`usageMetadata\` of the session is recorded and paid for by itself; a budget that ends closes the
session. The key is sent in \`x-goog-api-key\`, never in the address. See the page about realtime sessions for limits and errors.`,
  answers: { 101: { description: 'The connection is a WebSocket from here on.' } },
};
