import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient, inProcessLink, serve } from '@tallyport/bus';
import { authService, type GuardWebhook, service } from '@tallyport/contracts';
import { createKit, createMetrics, listen, silentLog, stopServer } from '@tallyport/service-kit';
import { openWebhooks } from '../guardrails/webhooks/open-webhooks.ts';

interface ReceivedQuestion {
  headers: IncomingHttpHeaders;
  body: string;
}

interface WebhookReply {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}

export const webhookSecret = '0123456789abcdef0123456789abcdef';

/** A webhook named `dlp` on loopback, and what services use to ask it. Tests replace `reply`. */
export async function openWebhookReceiver({ allowLocal = true, privateTargets = [] as string[] } = {}) {
  const receiver = {
    received: [] as ReceivedQuestion[],
    /** The most requests at once. */
    mostAtOnce: 0,
    reply: async (_question: ReceivedQuestion): Promise<WebhookReply> => ({ body: '{"verdict":"allow"}' }),
  };
  let running = 0;
  const server: Server = createServer((request, response) => {
    running += 1;
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, running);
    response.on('close', () => (running -= 1));
    void text(request).then(async (body) => {
      const question = { headers: request.headers, body };
      receiver.received.push(question);
      const reply = await receiver.reply(question);
      response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
    });
  });
  const url = `${await listen(server, { host: '127.0.0.1', port: 0 })}/decide`;
  const metrics = createMetrics({ defaults: false });
  const config = { ALLOW_LOCAL_TARGETS: allowLocal, PRIVATE_TARGETS: privateTargets };
  const link = inProcessLink();
  const behind = {
    onState: createClient(link, authService).guardWebhookState.subscribe,
    webhooks: [{ id: 'guard_webhook_1', name: 'dlp', url, secret: webhookSecret }] as GuardWebhook[],
  };
  await serveWebhooks(link, () => behind.webhooks);
  const webhooks = openWebhooks(createKit({ name: 'toy-svc', config, log: silentLog(), metrics }), link);
  webhooks.start();
  return {
    receiver,
    webhooks,
    behind,
    url,
    changed: (accountId: string) => createClient(link, authService).accountChanged.publish({ accountId }),
    metrics: () => metrics.text(),
    async close() {
      await webhooks.stop();
      server.closeAllConnections();
      await stopServer(server, 100);
      await link.close();
    },
  };
}

async function serveWebhooks(link: ReturnType<typeof inProcessLink>, webhooks: () => GuardWebhook[]): Promise<void> {
  const { guardWebhooks } = authService.operations;
  await serve(link, service(authService.name, { guardWebhooks }), {
    guardWebhooks: () => ({ webhooks: webhooks() }),
  });
}
