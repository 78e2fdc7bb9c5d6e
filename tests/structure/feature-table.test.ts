import { openAiCompatible } from '@tallyport/providers';
import { expect, test } from 'vitest';
import { featureTable } from './feature-table.ts';

const options = { id: 'able', baseUrl: 'https://a.example', keyVariable: 'ABLE' };
const able = openAiCompatible(options);
const poor = openAiCompatible({
  id: 'poor',
  baseUrl: 'https://a.example',
  keyVariable: 'POOR',
  auth: { kind: 'bearer', optional: true },
  images: 'inline',
  maxChoices: 1,
  quirks: { request: { refuse: ['logprobs'], toolChoices: ['auto', 'named'], responseFormats: ['json_object'] } },
});
const simulated = openAiCompatible({ ...options, auth: { kind: 'none' } });
const mute = openAiCompatible({ ...options, id: 'mute', chats: 'none' });

test('has a row for each provider of chats, found by translating requests', () => {
  expect(featureTable([able, mute, poor, simulated]).split('\n')).toEqual([
    '| provider | key or address  | tools | some tool | named tool | JSON | JSON schema | logprobs | image URLs | choices per call |',
    '| -------- | --------------- | ----- | --------- | ---------- | ---- | ----------- | -------- | ---------- | ---------------- |',
    '| `able`   | `ABLE_API_KEY`  | yes   | yes       | yes        | yes  | yes         | yes      | yes        | any              |',
    '| `poor`   | `POOR_BASE_URL` | yes   | –         | yes        | yes  | –           | –        | fetched    | 1                |',
  ]);
});
