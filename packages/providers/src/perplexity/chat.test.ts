import { expect, test } from 'vitest';
import { delta, vendorOf } from '../testing/openai-vendor.ts';
import { perplexity } from './chat.ts';

const { sent, unsupported, folded, chunks, answer, failure } = vendorOf(perplexity);

const url = (address: string, title = address) => ({
  type: 'url_citation',
  url_citation: { start_index: 0, end_index: 0, title, url: address },
});

test('refuses tools', () => {
  expect(unsupported({ tools: [{ type: 'function', function: { name: 'f' } }] })).toBe('tools');
  expect(sent({ tools: [], tool_choice: 'auto', parallel_tool_calls: false })).toEqual({});
});

test('joins neighbours of one role', () => {
  const made = sent({
    messages: [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'One' },
      { role: 'user', content: [{ type: 'text', text: 'Two' }] },
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'Three' },
      { role: 'user', content: 'Four' },
    ],
  });
  expect(made.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'One' },
        { type: 'text', text: 'Two' },
      ],
    },
    { role: 'assistant', content: 'a\n\nb' },
    { role: 'user', content: 'Three\n\nFour' },
  ]);
});

test('passes on search settings', () => {
  const search = { search_domain_filter: ['a.example'], search_recency_filter: 'day', return_images: true };
  expect(sent(search, { stream: true })).toEqual({ ...search, stream: true });
});

test('returns citations as annotations once and keeps the original member', () => {
  const citations = ['https://a.example', 'https://b.example'];
  const translated = chunks(
    delta({ role: 'assistant', content: 'x' }, null, { citations: citations.slice(0, 1) }),
    delta({ content: 'y' }, null, { citations }),
    delta({ content: 'z' }, 'stop', { citations }),
  );
  expect(translated.map((chunk) => chunk.choices[0]?.delta)).toEqual([
    { role: 'assistant', content: '' },
    { content: 'x', annotations: [url('https://a.example')] },
    { content: 'y', annotations: [url('https://b.example')] },
    { content: 'z' },
    {},
  ]);
  expect(translated.at(-1)).toMatchObject({ citations });
});

test('takes titles of citations from search results', () => {
  const search_results = [{ url: 'https://a.example', title: 'A', date: null }, { title: 'no address' }];
  const citations = ['https://a.example', 'https://b.example'];
  const images = [{ image_url: 'https://a.example/i.png' }];
  const whole = answer({ choices: [{ message: { content: 'x' } }], search_results, citations, images });
  expect(whole).toMatchObject({ search_results, citations, images });
  expect(whole.choices[0]?.message.annotations).toEqual([url('https://a.example', 'A'), url('https://b.example')]);
});

test('returns the last usage once, with its cost', () => {
  const usage = (completion: number) => ({
    prompt_tokens: 3,
    completion_tokens: completion,
    total_tokens: 3 + completion,
    citation_tokens: 9,
    cost: { total_cost: 0.005 },
  });
  const translated = chunks(
    delta({ content: 'x' }, null, { usage: usage(1) }),
    delta({ content: 'y' }, 'stop', { usage: usage(2) }),
  );
  expect(translated.flatMap((chunk) => (chunk.usage ? [chunk.usage] : []))).toEqual([
    { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, unknown_classes: ['citation_tokens'], cost: 0.005 },
  ]);
});

test('extracts thinking from the content', () => {
  const whole = folded(delta({ content: '<think>hm</think>' }), delta({ content: 'x' }, 'stop'));
  expect(whole.choices[0]?.message).toMatchObject({ content: 'x', reasoning_content: 'hm' });
});

test('maps an HTML page for a wrong key to an authentication error', () => {
  expect(failure(401, '<html><body>401 Authorization Required</body></html>')).toMatchObject({
    code: 'upstream_auth',
    domain: 'provider',
  });
});
