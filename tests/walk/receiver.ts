import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { listen, stopServer } from '@tallyport/service-kit';

interface ReceivedWebhook {
  /** Whether it was signed with this secret, as docs/alerts.md says. */
  isSignedWith(secret: string): boolean;
  body: { type: string; data: { subject: { id: string } } };
}

export interface Receiver {
  url: string;
  received: readonly ReceivedWebhook[];
  stop(): Promise<void>;
}

/** The program of the people on call. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = request.headers;
    received.push({
      body: JSON.parse(text),
      isSignedWith(secret) {
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        return signature === `v1,${createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64')}`;
      },
    });
    response.writeHead(204).end();
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  return { url: `${url}/hook`, received, stop: () => stopServer(server, 1_000) };
}
