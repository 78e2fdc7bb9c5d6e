import { noTokens } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { createVendorReader } from './vendor-message.ts';

const audio = { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm', data: 'AAAA' } }] } } };
const over = { serverContent: { turnComplete: true } };
const usageMetadata = { promptTokenCount: 10, responseTokenCount: 4, totalTokenCount: 14 };
const call = { toolCall: { functionCalls: [] } };
const go = 'the client goes on';

/** What the messages mean: their kinds, with the number of the generation. */
function meanings(...messages: (object | typeof go)[]): string[] {
  const reader = createVendorReader({ speaks: true });
  return messages.flatMap((message) => {
    if (message === go) {
      reader.continues();
      return [];
    }
    const event = reader.read(Buffer.from(JSON.stringify(message)));
    return 'id' in event ? [`${event.type} ${event.id.slice('generation_'.length)}`] : [event.type];
  });
}

test.each<[string, Parameters<typeof meanings>, string[]]>([
  ['one bill at the end', [audio, audio, { ...over, usageMetadata }], ['created 1', 'other', 'done 1']],
  ['a bill behind the end', [audio, over, { usageMetadata }], ['created 1', 'other', 'done 1']],
  [
    'content behind the bill',
    [audio, { usageMetadata }, audio, over, audio],
    ['created 1', 'done 1', 'other', 'other', 'created 2'],
  ],
  ['a bill with the first content', [{ ...audio, usageMetadata }, over, audio], ['done 1', 'other', 'created 2']],
  ['two bills in a turn', [audio, { usageMetadata }, { usageMetadata }], ['created 1', 'done 1', 'done 2']],
  ['a call with its bill', [{ ...call, usageMetadata }, audio], ['done 1', 'created 2']],
  ['a bill behind its call', [call, { usageMetadata }, go, audio], ['created 1', 'done 1', 'created 2']],
  [
    'an interruption',
    [audio, { serverContent: { interrupted: true } }, { ...over, usageMetadata }],
    ['created 1', 'other', 'done 1'],
  ],
  [
    'what costs nothing',
    [{ setupComplete: {} }, { goAway: {} }, { usageMetadata: {} }, { usageMetadata: 7 }],
    ['other', 'other', 'other', 'other'],
  ],
])('%s', (_, messages, expected) => {
  expect(meanings(...messages)).toEqual(expected);
});

const countedIn = (usage: object, speaks = true) => {
  const event = createVendorReader({ speaks }).read(Buffer.from(JSON.stringify({ usageMetadata: usage })));
  if (event.type !== 'done') throw new Error(event.type);
  return event.counted;
};

test('the tokens of a bill are counted by their kinds, and what has none is text', () => {
  const usage = {
    promptTokenCount: 522,
    responseTokenCount: 42,
    totalTokenCount: 564,
    thoughtsTokenCount: 136,
    toolUsePromptTokenCount: 8,
    cachedContentTokenCount: 30,
    cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 20 }],
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 332 },
      { modality: 'AUDIO', tokenCount: 145 },
      { modality: 'VIDEO', tokenCount: 15 },
      { modality: 'IMAGE', tokenCount: 5 },
    ],
    responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
  };
  expect(countedIn(usage)).toEqual({
    tokens: {
      ...noTokens,
      input: 522 + 8 - 145 - 20 - 10,
      cacheRead: 10,
      audioIn: 125,
      audioCacheRead: 20,
      imageIn: 20,
      output: 2,
      audioOut: 40,
      reasoning: 136,
    },
    adjusted: false,
  });
});

test('an answer without kinds is audio, unless the session writes', () => {
  const usage = { promptTokenCount: 1, responseTokenCount: 9 };
  expect(countedIn(usage)?.tokens).toMatchObject({ audioOut: 9, output: 0 });
  expect(countedIn(usage, false)?.tokens).toMatchObject({ audioOut: 0, output: 9 });
});

test('impossible counts are adjusted', () => {
  const promptTokensDetails = [{ modality: 'AUDIO', tokenCount: 50 }];
  expect(countedIn({ promptTokenCount: 10, responseTokenCount: 1e12, promptTokensDetails })).toMatchObject({
    adjusted: true,
    tokens: { input: 0, audioIn: 10 },
  });
});
