import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen, stopServer } from '@tallyport/service-kit';
import { countCalls } from '../../books.ts';
import { ask } from '../../client.ts';
import { newMark } from '../../mark.ts';
import type { MoneySystem } from '../../system.ts';
import { edgeOf } from '../../edge-of.ts';
import type { Feature } from './feature.ts';
import { addKey, send, timed } from './use.ts';

/** A fourth of the questions is one that the webhook blocks. */
const isBlocked = (text: string): boolean => /[0-3]$/.test(text);

/**
 * Chats whose texts a webhook decides about. Without a decision the gateway must refuse: a question that the webhook blocks
 * is never answered, and never reaches a vendor.
 */
export async function askGuarded(system: MoneySystem): Promise<Feature> {
  const server = createServer(async (request, response) => {
    const { texts } = (await json(request)) as { texts: string[] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ verdict: texts.some(isBlocked) ? 'block' : 'allow' }));
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  const admin = await addKey(system, true);
  const manage = (path: string, body: object) => send(system, { edge: 0, apiKey: admin, path: `/api/v1${path}`, body });
  await manage('/guard-webhooks', { name: 'soak', url, secret: randomBytes(32).toString('base64') });
  const guardrails = { request: { webhook: { name: 'soak', onFailure: 'block' } } };
  const { key } = (await manage('/keys', { name: 'guarded', guardrails })) as { key: string };
  const blocked: string[] = [];
  return {
    everyMs: 200,
    use: (number) =>
      timed('guard webhook', edgeOf(number), async () => {
        const mark = newMark();
        const isBad = isBlocked(mark);
        if (isBad) blocked.push(mark);
        const request = await ask(system, { mark, stream: number % 2 === 0, edge: edgeOf(number), apiKey: key });
        const { problem, result } = request;
        const asked = [request];
        if (problem !== undefined) return { asked, result, problem };
        if (result !== '200') return { asked, result: isBad && result === '400' ? 'done' : result };
        return { asked, ...(isBad && { problem: `${mark} was not blocked` }) };
      }),
    end: async () => {
      const calls = countCalls(system);
      const leaked = blocked.filter((mark) => calls.has(mark));
      return Promise.all(
        leaked.map((mark) => timed('guard webhook', 0, async () => ({ problem: `${mark} reached a vendor` }))),
      );
    },
    stop: () => stopServer(server, 1_000),
  };
}
