import { type Attack, keyWith, send } from './attack.ts';

const chat = (content: string): string =>
  JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content }] });

/** Within all bounds of patterns, and slow: 110 instructions are active at each character. */
const patterns = Array.from({ length: 20 }, (_, at) => ({
  name: `slow${at}`,
  pattern: `[a-c]{1,110}[0-9]{${(at % 2) + 1}}`,
  action: 'block',
}));
const detect = Object.fromEntries(
  ['api_key', 'card', 'email', 'iban', 'ip_address', 'jwt', 'phone', 'private_key'].map((name) => [name, 'redact']),
);

const slowPatterns = (size: string, units: number): Attack => ({
  name: `twenty slow patterns, over ${size}`,
  async prepare(attacker) {
    const guarded = await keyWith(attacker, { guardrails: { request: { patterns, onTimeout: 'allow' } } });
    const body = chat(`${'abc'.repeat(units)}1`);
    return { clients: 8, once: (_turn, signal) => send(guarded, '/v1/chat/completions', { body, signal }) };
  },
});

export const guardrailAttacks: readonly Attack[] = [
  slowPatterns('1 MB', 350_000),
  slowPatterns('60 kB', 20_000),
  {
    name: 'all detectors, over 4 MB of beginnings',
    async prepare(attacker) {
      const guarded = await keyWith(attacker, { guardrails: { request: { detect } } });
      const bodies = ['a@a.', '4111 1111 ', 'eyJa.eyJ', '-----BEGIN PRIVATE KEY-----\nA-', '+1('].map((unit) =>
        chat(unit.repeat(4_000_000 / unit.length)),
      );
      return {
        clients: 4,
        once: (turn, signal) => send(guarded, '/v1/chat/completions', { body: bodies[turn % bodies.length]!, signal }),
      };
    },
  },
];
