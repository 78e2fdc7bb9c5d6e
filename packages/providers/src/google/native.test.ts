import type { NativeRequest } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { vendorOffer } from '../testing/translate.ts';
import { google } from './chat.ts';

const format = google.native?.gemini;
const requestOf = (json: string, limit?: number): NativeRequest => ({
  dialect: 'gemini',
  body: Buffer.from(json),
  members: JSON.parse(json),
  headers: {},
  model: 'google/gemini',
  limit,
  isUntranslatable: false,
});

test.each([
  [false, '/models/gemini-3-pro:generateContent', 'application/json'],
  [true, '/models/gemini-3-pro:streamGenerateContent?alt=sse', 'text/event-stream'],
])('streamed %s: only the address names the model', (stream, path, accept) => {
  const json = String.raw`{ "future_member":1.0, "model":"other", "contents":[{"parts":[{"text":"\u00e9"}]}] }`;
  const offer = vendorOffer(google, { modelName: 'gemini-3-pro' });
  const sent = format?.request({ ...requestOf(json), stream, maxOutput: 5 }, offer);
  expect({ ...sent, body: sent?.body.toString() }).toEqual({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', accept },
    body: json.replace('other', 'models/gemini-3-pro'),
  });
});

test.each([
  ['{"generationConfig":{"maxOutputTokens":9}}', 9, '{"generationConfig":{"maxOutputTokens":9}}'],
  ['{"generationConfig":{"maxOutputTokens":10}}', 10, '{"generationConfig":{"maxOutputTokens":9}}'],
  ['{"generation_config":{"max_output_tokens":10}}', 10, '{"generation_config":{"max_output_tokens":9}}'],
])('%s is lowered to what the offer writes', (json, limit, expected) => {
  const sent = format?.request({ ...requestOf(json, limit), stream: false, maxOutput: 9 }, vendorOffer(google));
  expect(sent?.body.toString()).toBe(expected);
});

const thinking = (thinkingConfig: object) => ({ generationConfig: { thinkingConfig } });
const call = { functionCall: { name: 'f' } };
const result = (id: string) => ({ functionResponse: { id, name: 'f', response: {} } });
const turn = (...parts: object[]) => ({ contents: [{ role: 'model', parts }] });

test.each<[object, string, boolean]>([
  [{}, 'gemini-3-pro', true],
  [thinking({ thinkingLevel: 'high' }), 'gemini-3-pro', true],
  [turn({ ...call, thoughtSignature: 'dGFsbHlwb3J0LTEuYQ==' }), 'gemini-3-pro', false],
  [turn({ ...call, thought_signature: 'dGFsbHlwb3J0LTEuYQ==' }), 'gemini-2.5-flash', false],
  [thinking({ thinkingLevel: 'MEDIUM' }), 'gemini-3-pro', false],
  [thinking({ thinkingLevel: 'LOW' }), 'gemini-2.5-flash', false],
  [thinking({ thinkingBudget: 24_576 }), 'gemini-2.5-flash', true],
  [thinking({ thinking_budget: 24_577 }), 'gemini-2.5-flash', false],
  [thinking({ thinkingBudget: -1 }), 'gemini-2.5-pro', true],
  [thinking({ thinkingBudget: 0 }), 'gemini-2.5-pro', false],
  [thinking({ thinkingBudget: 128 }), 'gemini-2.0-flash', false],
  [thinking({ thinkingBudget: 128 }), 'gemini-3-pro', true],
  [{ generationConfig: { presencePenalty: 1 } }, 'gemini-3-pro', false],
  [{ generationConfig: { presencePenalty: 0 } }, 'gemini-3-pro', true],
  [{ generation_config: { frequency_penalty: 1 } }, 'gemini-2.0-flash', true],
  [{ generationConfig: { responseJsonSchema: {} } }, 'gemini-2.0-flash', false],
  [{ systemInstruction: 'Be brief.' }, 'gemini-3-pro', false],
  [{ system_instruction: { parts: [] } }, 'gemini-3-pro', true],
  [{ systemInstruction: { parts: [] } }, 'gemini-2.5-flash-image', false],
  [turn({ text: 'Hm.' }, { ...call, thoughtSignature: 's' }, call), 'gemini-3-pro', true],
  [turn({ text: 'Hm.' }, call), 'gemini-3-pro', false],
  [turn(call), 'gemini-2.5-flash', true],
  [turn(result('a'), result('b')), 'gemini-2.5-flash', true],
  [turn(result('a'), result('b'), result('a')), 'gemini-2.5-flash', false],
])('%j fits %s: %s', (members, modelName, fits) => {
  expect(format?.fits(requestOf(JSON.stringify(members)), vendorOffer(google, { modelName }))).toBe(fits);
});
