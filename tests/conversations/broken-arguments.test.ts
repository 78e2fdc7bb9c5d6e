import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { families } from '../clients/families.ts';
import { type Rig, startRig } from '../clients/rig.ts';
import type { ClientApi } from './apis/client-apis.ts';
import { callsIn, conversationWith, textIn } from './conversation.ts';
import type { Call } from './turns.ts';

let running: Rig;
beforeAll(async () => {
  running = await startRig();
});
afterEach(() => running.simulator.reset());
afterAll(() => running.stop());

const broken = '{"city":"Par';
const shown = JSON.stringify({ INVALID_JSON: broken });
const question = { role: 'user' as const, text: 'The weather [broken-arguments]?' };
const tools = ['weather'];

/** The arguments that a client sees: text where its API has text, and in the Messages API what Anthropic recommends. */
const expected = {
  chat: { whole: broken, streamed: broken },
  responses: { whole: broken, streamed: broken },
  messages: { whole: shown, streamed: broken },
} as const;

const familyOf = (name: string) => families.find((family) => family.name.startsWith(name))!;
const asked = (api: ClientApi, name: string) => conversationWith(familyOf(name), api, running);

describe('arguments that are no JSON', () => {
  test.each(['chat', 'messages', 'responses'] as const)('are never those of another call: %s', async (api) => {
    const { ask } = asked(api, 'openai/');
    const [whole] = callsIn(await ask({ steps: [question], tools, stream: false }));
    const [streamed] = callsIn(await ask({ steps: [question], tools, stream: true }));
    expect([whole?.input, streamed?.input]).toEqual([expected[api].whole, expected[api].streamed]);
  });

  test('are no call in the Gemini API', async () => {
    const { ask } = asked('gemini', 'openai/');
    for (const stream of [false, true]) expect(await ask({ steps: [question], tools, stream })).toEqual([]);
  });

  test.each(['anthropic/', 'aws-bedrock/', 'google/', 'openai/', 'mistral/'])(
    'do not end a conversation that goes on with %s',
    async (name) => {
      const calls: Call[] = [{ id: 'call_1', name: 'weather', input: broken }];
      const results = { role: 'results' as const, calls, texts: ['{"error":"The arguments are no JSON."}'] };
      const steps = [question, { role: 'model' as const, calls }, results];
      const answer = await asked('chat', name).ask({ steps, tools, stream: false });
      expect(textIn(answer)).toContain('The arguments are no JSON.');
      const sent = running.simulator.requests.at(-1)?.body ?? '';
      expect(sent).toContain(JSON.stringify(broken).slice(1, -1));
    },
  );
});
