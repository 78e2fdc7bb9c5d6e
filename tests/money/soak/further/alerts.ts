import { setTimeout as pause } from 'node:timers/promises';
import { startReceiver } from '../../../walk/receiver.ts';
import { ask } from '../../client.ts';
import { newMark } from '../../mark.ts';
import type { MoneySystem } from '../../system.ts';
import { edgeOf } from '../../edge-of.ts';
import type { Feature } from './feature.ts';
import { addKey, send, timed } from './use.ts';

/**
 * Time for an alert to be found and sent, also when two attempts fail because ledger-svc is killed and then the database
 * is away: the claim of the first one lasts a minute, and the second one is followed by a wait of a minute.
 */
const firedMs = 180_000;

/** An answer that costs 0.2 USD: more than a hundredth of the budget, which is more than what the gateway reserves for it. */
const words = 200;

/** Keys that spend their budget with one chat: the alert of each must be sent, signed with its own secret. */
export async function sendAlerts(system: MoneySystem): Promise<Feature> {
  const receiver = await startReceiver();
  const admin = await addKey(system, true);
  const manage = (edge: number, operation: string, body?: object) => {
    const [method = '', path = ''] = operation.split(' ');
    const request = { edge, apiKey: admin, method, path: `/api/v1${path}` };
    return send(system, { ...request, ...(body !== undefined && { body }) });
  };
  const isSent = (subject: string, secret: string): boolean =>
    receiver.received.some(
      (webhook) =>
        webhook.body.type === 'alert.fired' && webhook.body.data.subject.id === subject && webhook.isSignedWith(secret),
    );
  return {
    everyMs: 10_000,
    use: (number) =>
      timed('alert', edgeOf(number), async () => {
        const edge = edgeOf(number);
        const budget = { amount: '10', period: 'total' };
        const made = await manage(edge, 'POST /keys', { name: 'spends', budget });
        const { id } = made['record'] as { id: string };
        const condition = { type: 'budget', scope: 'key', id, percent: 1 };
        const { id: alertId, webhookSecret } = await manage(edge, 'POST /alerts', {
          name: `soak ${number}`,
          condition,
          webhook: { url: receiver.url },
        });
        const question = { mark: newMark(), stream: false, edge, apiKey: String(made['key']), words };
        const request = await ask(system, question);
        const { problem, result } = request;
        const asked = [request];
        if (problem !== undefined || result !== '200') return { problem, result, asked };
        const deadline = Date.now() + firedMs;
        while (!isSent(id, String(webhookSecret)) && Date.now() < deadline) await pause(500);
        if (!isSent(id, String(webhookSecret))) return { asked, problem: `the alert of ${id} was not sent` };
        await manage(0, `DELETE /alerts/${String(alertId)}`);
        return { asked };
      }),
    stop: () => receiver.stop(),
  };
}
