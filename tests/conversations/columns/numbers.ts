import { expect } from 'vitest';
import { can } from '../../clients/families.ts';
import { callsIn } from '../conversation.ts';
import type { Column } from './column.ts';

const tools = ['weather'];
const id = '1234567890123456789';
const earlier = '9007199254740993';
const found = '9223372036854775807';

/** Integers above 2^53 in arguments and results arrive with all their digits, from the vendor and at the vendor. */
export const numbers: Column = {
  title: '64-bit arguments',
  holds: (family) => can(family, 'tools', 'tool results'),
  async check({ ask, rig }, stream) {
    const question = { role: 'user' as const, text: `The weather at this place [digits:${id}]?` };
    const [call] = callsIn(await ask({ steps: [question], tools, stream }));
    expect(call?.input).toBe(`{"id":${id}}`);

    const calls = [{ id: 'call_1', name: 'weather', input: `{"id":${earlier}}` }];
    const results = { role: 'results' as const, calls, texts: [`{"found":${found}}`] };
    await ask({ steps: [question, { role: 'model', calls }, results], tools, stream });
    const sent = rig.simulator.requests.at(-1)?.body ?? '';
    expect([earlier, found].filter((digits) => !sent.includes(digits))).toEqual([]);
  },
};
