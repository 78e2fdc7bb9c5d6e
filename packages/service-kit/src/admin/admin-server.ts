import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen, closeServer } from './listen.ts';
import type { Metrics } from '../metrics/index.ts';
import type { Part } from '../parts/part.ts';
import type { Readiness } from '../parts/readiness.ts';
import { readyGauge } from './ready-gauge.ts';

interface AdminServerOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
}

export interface AdminServer extends Part {
  /** Empty until the server has started. */
  address(): string;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

type Page = () => Answer | Promise<Answer>;

/** `/livez` reports on the process alone, `/readyz` on everything it needs, `/metrics` is for Prometheus. */
export function adminServer({ host, port, metrics, readiness }: AdminServerOptions): AdminServer {
  const showReady = readyGauge(metrics);
  const metricsPage = async (): Promise<Answer> => {
    showReady(await readiness());
    return { status: 200, type: metrics.contentType, body: await metrics.text() };
  };
  const pages = new Map<string, Page>([
    ['/livez', () => json(200, { status: 'ok' })],
    ['/readyz', async () => readyAnswer(await readiness())],
    ['/metrics', metricsPage],
  ]);
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    void answer(pages, request, response);
  });
  let address = '';
  return {
    name: 'admin server',
    async start() {
      address = await listen(server, { host, port });
    },
    stop: (deadlineMs) => closeServer(server, deadlineMs),
    address: () => address,
  };
}

async function answer(pages: Map<string, Page>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, type, body } = await answerOf(pages, request);
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function answerOf(pages: Map<string, Page>, request: IncomingMessage): Promise<Answer> {
  const page = pages.get(request.url?.split('?', 1)[0] ?? '');
  if (page === undefined) return json(404, { message: `Not found. This server has ${[...pages.keys()].join(', ')}.` });
  if (request.method !== 'GET' && request.method !== 'HEAD') return json(405, { message: 'Use GET.' });
  try {
    return await page();
  } catch {
    return json(500, { message: 'This page could not be rendered. See the log.' });
  }
}

function readyAnswer(readiness: Readiness): Answer {
  return json(readiness.ready ? 200 : 503, readiness);
}

function json(status: number, value: object): Answer {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(value)}\n` };
}
