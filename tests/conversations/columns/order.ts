import { expect } from 'vitest';
import { can } from '../../clients/families.ts';
import type { Column } from './column.ts';

/** Vendors whose models write texts and calls in any order. */
const interleaving = new Set(['anthropic', 'aws-bedrock', 'google', 'google-vertex']);

/** Texts and calls have the order in which the model wrote them, and a whole answer the same as a streamed one. */
export const order: Column = {
  title: 'order',
  holds: (family) => can(family, 'tools'),
  async check({ ask, api, family }) {
    const steps = [{ role: 'user' as const, text: 'The weather in two cities [interleaved]?' }];
    const question = { steps, tools: ['weather'] };
    const whole = await ask({ ...question, stream: false });
    const streamed = await ask({ ...question, stream: true });
    const isInOrder = api !== 'chat' && interleaving.has(family.provider);
    const kinds = isInOrder ? ['text', 'call', 'text', 'call'] : ['text', 'call', 'call'];
    expect(whole.flatMap((part) => Object.keys(part))).toEqual(kinds);
    expect(streamed.map(withoutId)).toEqual(whole.map(withoutId));
  },
};

/** Each answer has ids of its own. */
const withoutId = (part: object): object =>
  'call' in part && typeof part.call === 'object' ? { call: { ...part.call, id: '' } } : part;
