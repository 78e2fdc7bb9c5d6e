import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chat } from './neighbour.ts';

/**
 * The program of the neighbour: a client in its own process, so that it measures the gateway and not the attacker's
 * client. Sends a chat every 50 ms from `begin` to `end`, and answers with all of them.
 */
const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const everyMs = 50;

let over = false;
process.on('message', (message) => {
  if (message === 'end') over = true;
  else void chatUntilOver();
});

async function chatUntilOver(): Promise<void> {
  over = false;
  const chats: Promise<Chat>[] = [];
  for (const from = performance.now(); !over;) {
    chats.push(chat());
    await pause(Math.max(0, from + chats.length * everyMs - performance.now()));
  }
  process.send?.(await Promise.all(chats));
}

async function chat(): Promise<Chat> {
  const from = performance.now();
  let firstMs = Infinity;
  let text = '';
  const body = { model: 'sandbox-chat', stream: true, messages: [{ role: 'user', content: `Hello ${randomUUID()}` }] };
  try {
    const response = await fetch(`${baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (firstMs === Infinity && text.includes('"content":')) firstMs = performance.now() - from;
    }
  } catch (error) {
    text += String(error);
  }
  const result = text.trimEnd().endsWith('data: [DONE]') ? 'done' : text;
  return { firstMs, wholeMs: performance.now() - from, result };
}
