import { createServer } from 'node:http';
import { listen, stopServer } from '@tallyport/service-kit';
import { type Attack, keyWith, manage, send, sendFromPage, set } from './attack.ts';

/** A text of this many characters, which no cache has. */
const text = (turn: number, characters: number): string =>
  `${turn} ${Math.random()} `.padEnd(characters, 'lorem ipsum ');

export const writingAttacks: readonly Attack[] = [
  {
    name: 'trials of rules',
    async prepare(attacker) {
      const pattern = (at: number) => ({ name: `slow${at}`, pattern: `[a-c]{1,110}[0-9]{${at}}`, action: 'redact' });
      const guardrails = { request: { patterns: Array.from({ length: 20 }, (_, at) => pattern((at % 2) + 1)) } };
      const made = await set(attacker, 'POST /keys', { name: 'tried', guardrails });
      const { id } = made['record'] as { id: string };
      const body = { text: 'abc'.repeat(6_600), key: id };
      return { clients: 8, once: (_turn, signal) => manage(attacker, 'POST /guardrails/try', { body, signal }) };
    },
  },
  {
    name: 'what-if',
    async prepare(attacker) {
      const messages = [{ role: 'user', content: 'lorem ipsum '.repeat(25_000) }];
      const body = JSON.stringify({ model: 'sandbox-chat', messages });
      const path = '/v1/routes/explain?uptime=sandbox-a:1,sandbox-b:2&price=sandbox-a:100&slowness=sandbox-a:9';
      return { clients: 8, once: (_turn, signal) => send(attacker, path, { body, signal }) };
    },
  },
  {
    name: 'playground',
    async prepare(attacker) {
      return {
        clients: 8,
        once(turn, signal) {
          const messages = [{ role: 'user', content: text(turn, 300_000) }];
          const body = JSON.stringify({ model: 'sandbox-chat', messages, stream: true });
          return sendFromPage(attacker, '/session/chat/completions', { body, signal });
        },
      };
    },
  },
  {
    name: 'stored responses of 300 kB, continued',
    async prepare(attacker) {
      let last: string | undefined;
      return {
        clients: 6,
        async once(turn, signal) {
          const previous = turn % 3 === 0 ? undefined : last;
          const body = { model: 'sandbox-chat', input: text(turn, 300_000), previous_response_id: previous };
          const answer = await send(attacker, '/v1/responses', { body: JSON.stringify(body), signal });
          if (answer.status === 200) last = (JSON.parse(answer.text) as { id: string }).id;
          return answer;
        },
      };
    },
  },
  {
    name: 'alerts, created and tested',
    async prepare(attacker) {
      const server = createServer((request, response) => void request.resume().on('end', () => response.end()));
      const url = await listen(server, { host: '127.0.0.1', port: 0 });
      return {
        clients: 8,
        async once(turn, signal) {
          const condition = { type: 'budget', scope: 'key', percent: 1 };
          const made = await manage(attacker, 'POST /alerts', {
            body: { name: `attack ${turn}`, condition, webhook: { url } },
            signal,
          });
          if (made.status !== 201) return made;
          const { id } = JSON.parse(made.text) as { id: string };
          const tested = await manage(attacker, `POST /alerts/${id}/test`, { signal });
          if (turn % 2 === 0) await manage(attacker, `DELETE /alerts/${id}`, { signal });
          return tested;
        },
        end: () => stopServer(server, 1_000),
      };
    },
  },
  {
    name: 'long answers with rules, held back',
    async prepare(attacker) {
      const detect = { email: 'redact', card: 'redact', phone: 'redact', api_key: 'redact', iban: 'redact' };
      const guarded = await keyWith(attacker, { guardrails: { answer: { detect, holdBack: 4_096 } } });
      return {
        clients: 16,
        once(turn, signal) {
          const messages = [{ role: 'user', content: `${turn} ${Math.random()} [words:20000]` }];
          const body = JSON.stringify({ model: 'sandbox-chat', messages, stream: turn % 2 === 0 });
          return send(guarded, '/v1/chat/completions', { body, signal });
        },
      };
    },
  },
  // The last one, because it uses up the number of keys.
  {
    name: 'documents to apply: keys are created and changed',
    async prepare(attacker) {
      return {
        clients: 8,
        async once(turn, signal) {
          const made = await manage(attacker, 'POST /keys', { body: { name: `applied ${turn}` }, signal });
          if (made.status !== 201) return made;
          const { record } = JSON.parse(made.text) as { record: { id: string } };
          return manage(attacker, `PATCH /keys/${record.id}`, {
            body: { guardrails: { request: { maxCharacters: 1 + turn } } },
            signal,
          });
        },
      };
    },
  },
];
