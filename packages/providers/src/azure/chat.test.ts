import { describe, expect, test } from 'vitest';
import { fold } from '../fold/fold.ts';
import { contextOf, translate } from '../testing/translate.ts';
import { azure } from './chat.ts';

const safe = { filtered: false, severity: 'safe' };
const filters = { hate: safe, self_harm: safe, sexual: safe, violence: safe };
const event = (value: unknown) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_750_000_000, model: 'gpt-4o-2024-11-20' };
const chunk = (choice: object) => event({ ...head, choices: [{ index: 0, finish_reason: null, ...choice }] });

const opening = event({
  id: '',
  object: '',
  created: 0,
  model: '',
  choices: [],
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: filters }],
});

describe('a stream', () => {
  const frames = [
    opening,
    chunk({ delta: { role: 'assistant', content: '', refusal: null } }),
    chunk({ delta: { content: 'Hello' }, content_filter_results: filters }),
    // Asynchronous filters report later how far they have read.
    chunk({ delta: {}, content_filter_results: filters, content_filter_offsets: { check_offset: 1, end_offset: 5 } }),
    chunk({ delta: {}, finish_reason: 'stop' }),
    event({ ...head, choices: [], usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } }),
    Buffer.from('data: [DONE]\n\n'),
  ];

  test('skips the leading filter results and takes id and time from the answer', () => {
    const [first, ...rest] = translate(azure, frames);
    expect(first).toMatchObject({
      id: 'chatcmpl-1',
      created: 1_750_000_000,
      model: 'gpt-4o-2024-11-20',
      choices: [{ delta: { role: 'assistant' } }],
    });
    expect(rest.map(({ choices }) => choices[0]?.delta)).toEqual([{ content: 'Hello' }, {}, undefined]);
  });

  test('ends an answer that the filter cut with content_filter', () => {
    const cut = chunk({ delta: {}, finish_reason: 'content_filter' });
    const folded = fold(translate(azure, [...frames.slice(0, 3), cut, ...frames.slice(-2)]));
    expect(folded.choices[0]).toMatchObject({ message: { content: 'Hello' }, finish_reason: 'content_filter' });
  });
});

describe('errors', () => {
  test.each([
    [
      'a filtered prompt is a policy error',
      400,
      {
        error: {
          code: 'content_filter',
          message: 'The response was filtered.',
          param: 'prompt',
          type: null,
          status: 400,
          innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: filters },
        },
      },
      { code: 'content_policy_violation', status: 400, domain: 'policy', message: 'The response was filtered.' },
    ],
    [
      'a wrong key is a provider error',
      401,
      { error: { code: '401', message: 'Access denied due to invalid subscription key.' } },
      { code: 'upstream_auth', status: 502, domain: 'provider' },
    ],
    [
      'an unknown deployment',
      404,
      { error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } },
      { code: 'upstream_error', status: 502, domain: 'provider' },
    ],
    [
      'too many requests',
      429,
      { error: { code: '429', message: 'Requests have exceeded call rate limit.' } },
      { code: 'upstream_error', status: 502, domain: 'provider', retryAfterMs: 7_000 },
    ],
  ])('%s', (_name, status, body, expected) => {
    expect(azure.error(status, { 'retry-after': '7' }, body)).toMatchObject(expected);
  });
});

test('keeps the filter results of a whole answer', () => {
  const body = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o-2024-11-20',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: filters }],
  };
  expect(azure.response(body, contextOf(azure))).toMatchObject({ prompt_filter_results: body.prompt_filter_results });
});
