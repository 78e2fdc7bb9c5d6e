import type { ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { callOf, vendorOffer } from '../testing/translate.ts';
import { awsBedrock } from './chat.ts';

const usual = 'vendor.model-v1:0';
const budget = 'us.anthropic.claude-sonnet-4-20250514-v1:0';
const newest = 'us.anthropic.claude-opus-4-8';

const sent = (request: Partial<ChatRequest>, modelName: string) =>
  JSON.parse(awsBedrock.request(callOf(request, false), vendorOffer(awsBedrock, { modelName })).body);

const budgeted = (tokens: number) => ({ thinking: { type: 'enabled', budget_tokens: tokens } });

describe('thinking', () => {
  test.each<[string, string, Partial<ChatRequest>, unknown]>([
    ['not requested', budget, {}, undefined],
    ['switched off', budget, { reasoning_effort: 'none' }, undefined],
    ['a budget', budget, { reasoning_effort: 'low' }, budgeted(1_024)],
    ['the client’s budget', budget, { reasoning: { max_tokens: 2_000 } }, budgeted(2_000)],
    ['a budget below the answer’s limit', budget, { reasoning_effort: 'high', max_tokens: 4_000 }, budgeted(3_200)],
    ['an answer too short for a budget', budget, { reasoning_effort: 'high', max_tokens: 1_024 }, undefined],
    [
      'adaptive, with an effort',
      newest,
      { reasoning_effort: 'xhigh' },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
    ],
    [
      'adaptive, without xhigh',
      'us.anthropic.claude-opus-4-6-v1',
      { reasoning_effort: 'xhigh' },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    [
      'always, at the lowest effort',
      'us.anthropic.claude-opus-5-5',
      { reasoning_effort: 'none' },
      { output_config: { effort: 'low' } },
    ],
    [
      'switched on, without an effort',
      'us.anthropic.claude-opus-4-6-v1',
      { reasoning: { enabled: true } },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } },
    ],
    [
      'an effort for the client’s budget, as on the model’s own API',
      newest,
      { reasoning: { max_tokens: 2_000 } },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    ],
    ['a budget, switched on', budget, { reasoning: { enabled: true } }, budgeted(8_192)],
    ['off', budget, { reasoning: { enabled: false } }, undefined],
    [
      'always, switched off',
      'us.anthropic.claude-opus-5-5',
      { reasoning: { enabled: false } },
      { output_config: { effort: 'low' } },
    ],
    [
      'one member, switched on',
      'openai.gpt-oss-120b-1:0',
      { reasoning: { enabled: true } },
      { reasoning_effort: 'medium' },
    ],
    [
      'one member for a small budget',
      'openai.gpt-oss-120b-1:0',
      { reasoning: { max_tokens: 1_024 } },
      { reasoning_effort: 'low' },
    ],
    [
      'a configuration, switched on',
      'us.amazon.nova-2-lite-v1:0',
      { reasoning: { enabled: true } },
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } },
    ],
    ['one member', 'openai.gpt-oss-120b-1:0', { reasoning: { effort: 'xhigh' } }, { reasoning_effort: 'high' }],
    ['none', usual, { reasoning_effort: 'high' }, undefined],
  ])('%s', (_name, modelName, request, fields) => {
    expect(sent(request, modelName).additionalModelRequestFields).toEqual(fields);
  });

  test('excludes sampling hints and is excluded by a forced tool', () => {
    const request: Partial<ChatRequest> = { reasoning_effort: 'low', temperature: 0.5, top_p: 0.5 };
    expect(sent(request, budget).inferenceConfig).toBeUndefined();
    const forced = sent(
      { ...request, tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' },
      budget,
    );
    expect(forced.additionalModelRequestFields).toBeUndefined();
    expect(forced.inferenceConfig).toEqual({ temperature: 0.5, topP: 0.5 });
  });

  const loop = (...reasoning_details: unknown[]): Partial<ChatRequest> => ({
    reasoning_effort: 'low',
    messages: [
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        reasoning_details,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
    ],
  });
  const format = 'aws-bedrock-v1';

  test('continues after calls with the signed thinking before them', () => {
    const body = sent(
      loop(
        { type: 'reasoning.text', text: 'Hm.', signature: 's1', format, index: 0 },
        { type: 'reasoning.encrypted', data: 'QUJD', format, index: 1 },
        { type: 'reasoning.text', text: 'Of another vendor.', signature: 's2', format: 'other', index: 2 },
      ),
      budget,
    );
    expect(body.messages[1].content.slice(0, -1)).toEqual([
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 's1' } } },
      { reasoningContent: { redactedContent: 'QUJD' } },
    ]);
    expect(body.additionalModelRequestFields).toBeDefined();
  });

  test('continues with streamed pieces, joined', () => {
    const body = sent(
      loop(
        { type: 'reasoning.text', text: 'H', format, index: 0 },
        { type: 'reasoning.text', text: 'm.', format, index: 0 },
        { type: 'reasoning.text', signature: 's1', format, index: 0 },
      ),
      budget,
    );
    expect(body.messages[1].content.slice(0, -1)).toEqual([
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 's1' } } },
    ]);
  });

  test('stops if the client did not send it back', () => {
    expect(sent(loop(), budget).additionalModelRequestFields).toBeUndefined();
  });
});
