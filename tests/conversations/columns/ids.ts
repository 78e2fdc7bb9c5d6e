import { expect } from 'vitest';
import { can } from '../../clients/families.ts';
import { callsIn, textIn } from '../conversation.ts';
import type { Column } from './column.ts';

/** Longer than any vendor accepts, and with characters that only some accept. */
const odd = `weather.get:${'x'.repeat(130)}`;
const tools = ['weather.get', 'weather_get', odd];

/** Ids and names that another vendor made go on with this one, and the client only sees its own. */
export const ids: Column = {
  title: 'ids and names',
  holds: (family) => can(family, 'tools', 'tool results'),
  async check({ ask }, stream) {
    const question = { role: 'user' as const, text: 'The weather in Paris [parallel]?' };
    const offered = callsIn(await ask({ steps: [question], tools, stream }));
    expect(offered.map(({ name }) => name)).toEqual(tools);

    for (const begunWith of [['weather', 'time'], tools]) {
      const calls = begunWith.map((name, index) => ({
        id: `functions.${name.slice(0, 40)}:${index}`,
        name,
        input: '{"city":"Paris"}',
      }));
      const texts = calls.map((_call, index) => `{"sky":"Rain ${index}."}`);
      const steps = [question, { role: 'model' as const, calls }, { role: 'results' as const, calls, texts }];
      const answer = await ask({ steps, tools: begunWith, stream });
      expect(textIn(answer)).toMatch(/Rain 0\..*Rain 1\./s);
    }
  },
};
