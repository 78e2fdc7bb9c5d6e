import { noTokens } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { audioLimitTokens, useOfSpeech, useOfTranscription } from './audio.ts';
import { moneyText } from './money.ts';
import { type BillableUse, price } from './price.ts';

const costOf = (pricing: Record<string, string>, used: Partial<BillableUse>) => {
  const { cost, costs } = price(offerOf('a', { pricing }), { tokens: noTokens, images: 0, ...used });
  return [cost === undefined ? null : moneyText(cost), costs.map(({ of }) => of)];
};

test('speech is paid by the character where that has a price, and each counts once', () => {
  const use = useOfSpeech({ input: 'héllo 👋' }, { pricing: { character: '0.000015' } });
  expect(use).toEqual({ characters: 7, audioSeconds: 0, tokens: noTokens, estimated: false });
  expect(costOf({ character: '0.000015' }, use)).toEqual(['0.000105', ['characters']]);
  expect(audioLimitTokens(use)).toBe(2);
});

test('speech is paid by tokens otherwise, as reported or estimated', () => {
  const pricing = { prompt: '0.000001', audio_output: '0.00001' };
  const reported = useOfSpeech({ input: 'hello', tokens: { input: 4, output: 30 } }, { pricing });
  expect([reported.estimated, costOf(pricing, reported)]).toEqual([false, ['0.000304', ['input', 'audioOut']]]);
  const estimated = useOfSpeech({ input: 'x'.repeat(300) }, { pricing });
  expect(estimated).toMatchObject({ tokens: { input: 75, audioOut: 400 }, estimated: true });
  expect(audioLimitTokens(estimated)).toBe(475);
});

test('audio is paid by the minute, in whole seconds', () => {
  expect(costOf({ minute: '0.006' }, { audioSeconds: 61 })).toEqual(['0.0061', ['audioSeconds']]);
});

test.each([{ characters: 5 }, { audioSeconds: 5 }])('%o without a price is unpriced', (used) => {
  expect(costOf({}, used)).toEqual([null, []]);
  expect(costOf({ request: '0.01' }, used)).toEqual(['0.01', ['request']]);
});

test('a transcription is paid by the seconds that the vendor reports, or by those estimated from the file', () => {
  const offer = { pricing: { minute: '0.006' } };
  const file = Buffer.alloc(24_000);
  expect(useOfTranscription({ file, seconds: 1.2 }, offer)).toMatchObject({ audioSeconds: 2, estimated: false });
  expect(useOfTranscription({ file }, offer)).toMatchObject({ audioSeconds: 3, tokens: noTokens, estimated: true });
  const wav = Buffer.alloc(96_000);
  wav.write('RIFF');
  wav.writeUInt32LE(48_000, 28);
  expect(useOfTranscription({ file: wav }, offer).audioSeconds).toBe(2);
  expect(useOfTranscription({ file, seconds: -1 }, offer).audioSeconds).toBe(0);
  expect(useOfTranscription({ file, seconds: 1e9 }, offer).audioSeconds).toBe(86_400);
});

test('a transcription is paid by tokens without a price per minute', () => {
  const pricing = { prompt: '0.000001', audio_input: '0.00001', completion: '0.0001' };
  const use = useOfTranscription({ file: Buffer.alloc(1), tokens: { input: 2, audio: 10, output: 5 } }, { pricing });
  expect([use.estimated, costOf(pricing, use)]).toEqual([false, ['0.000602', ['input', 'output', 'audioIn']]]);
});
