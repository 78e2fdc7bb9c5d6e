import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, stopServer } from '@tallyport/service-kit';

export interface ReceivedWebhook {
  headers: Record<string, string>;
  body: string;
}

export interface Receiver {
  url: string;
  /** In the order of their arrival. */
  received: ReceivedWebhook[];
  /** Answers the next webhooks with these statuses, and further ones with 204. */
  answerWith(...statuses: number[]): void;
  close(): Promise<void>;
}

/** A server that receives webhooks. */
export async function openReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  let statuses: number[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    url: `${address}/hook`,
    received,
    answerWith: (...next) => void (statuses = next),
    close: () => stopServer(server, 1_000),
  };
}
