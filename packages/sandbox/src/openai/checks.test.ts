import { expect, test } from 'vitest';
import { refuseUnanswerableChat, refuseUnanswerableImages } from './checks.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const image = { image_url: 'https://example.com/cat.png' };

test.each<[object, string]>([
  [{}, 'messages'],
  [{ messages: 'Hi' }, 'messages'],
  [{ messages: [] }, 'messages'],
  [{ messages: ['Hi'] }, 'messages'],
  [{ messages, n: 0 }, 'n'],
  [{ messages, n: 129 }, 'n'],
])('refuses a chat with %j', (body, param) => {
  expect(refuseUnanswerableChat({ ...body })).toMatchObject({ status: 400, param });
});

test.each([{ messages }, { messages, n: 128 }, { messages, n: null }])('answers a chat with %j', (body) => {
  expect(refuseUnanswerableChat(body)).toBeUndefined();
});

test.each([
  ['generations', {}, 'prompt'],
  ['generations', { prompt: 'A fox', n: 11 }, 'n'],
  ['generations', { prompt: 'A fox', size: '4097x16' }, 'size'],
  ['generations', { prompt: 'A fox', size: 'large' }, 'size'],
  ['edits', { prompt: 'A fox' }, 'images'],
  ['edits', { prompt: 'A fox', images: [{ image_url: 'data:image/png;base64,AAAA' }] }, 'images'],
] as const)('refuses %s with %j', (operation, body, param) => {
  expect(refuseUnanswerableImages(body, operation)).toMatchObject({ status: 400, param });
});

test.each([
  ['generations', { prompt: 'A fox', size: '4096x4096', n: 10 }],
  ['generations', { prompt: 'A fox', size: 'auto' }],
  ['edits', { prompt: 'A fox', images: [image] }],
] as const)('accepts %s with %j', (operation, body) => {
  expect(refuseUnanswerableImages(body, operation)).toBeUndefined();
});
