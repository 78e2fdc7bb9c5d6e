import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assets } from '../assets.ts';
import { codeFor, requestOf, type PlaygroundTurn } from './playground-request.js';

const url = 'https://gateway.example';

test('the fields of a chat become a request, without the empty ones', () => {
  const empty = { system: ' ', temperature: '', maxTokens: '', tools: '\n' };
  expect(requestOf('chat', { model: 'm', prompt: 'Hi', ...empty })).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
  });
  const all = { system: 'Be short.', temperature: '0,5', maxTokens: '40', tools: '[{"type":"function"}]' };
  expect(requestOf('chat', { model: 'm', prompt: 'Hi', ...all })).toEqual({
    model: 'm',
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hi' },
    ],
    temperature: 0.5,
    max_tokens: 40,
    tools: [{ type: 'function' }],
  });
  expect(requestOf('images', { model: 'm', prompt: 'A', size: ' 512x512 ' })).toEqual({
    model: 'm',
    prompt: 'A',
    size: '512x512',
  });
});

test('each model has the turns as it answered them', () => {
  const turns: PlaygroundTurn[] = [
    { prompt: 'One', answers: { a: 'A1', b: 'B1' } },
    { prompt: 'Two', answers: { a: 'A2', b: null } },
    { prompt: 'Three', answers: { a: 'A3' } },
  ];
  const said = (model: string, prompt = 'Now') => {
    const { messages } = requestOf('chat', { model, system: 'Be short.', prompt }, turns);
    return (messages as { role: string; content: string }[]).map(({ content }) => content);
  };
  expect(said('a')).toEqual(['Be short.', 'One', 'A1', 'Two', 'A2', 'Three', 'A3', 'Now']);
  // It failed in the second turn, and took no part in the third.
  expect(said('b')).toEqual(['Be short.', 'One', 'B1', 'Three', 'A3', 'Now']);
  expect(said('toString')).toEqual(['Be short.', 'One', 'A1', 'Two', 'A2', 'Three', 'A3', 'Now']);
  expect(said('a', '').at(-1)).toBe('A3');
});

test.each([
  ['temperature', { temperature: 'warm' }],
  ['tools', { tools: '{' }],
  ['tools', { tools: '{}' }],
])('a wrong %s is named', (cause, fields) => {
  const wrong = () => requestOf('chat', { model: 'm', prompt: 'Hi', ...fields });
  expect(wrong).toThrow(expect.objectContaining({ cause }) as Error);
});

const request = { model: 'm', messages: [{ role: 'user', content: 'It\'s "me"\n' }], stream: true, stop: null };

test('a request as code', () => {
  expect(codeFor.curl('chat', { url, request })).toBe(String.raw`curl https://gateway.example/v1/chat/completions \
  -H "Authorization: Bearer $TALLYPORT_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model":"m","messages":[{"role":"user","content":"It'\''s \"me\"\n"}],"stream":true,"stop":null}'`);
  expect(codeFor.python('chat', { url, request })).toBe(String.raw`import os
from openai import OpenAI

client = OpenAI(base_url="https://gateway.example/v1", api_key=os.environ["TALLYPORT_API_KEY"])
answer = client.chat.completions.create(
    model="m",
    messages=[{"role": "user", "content": "It's \"me\"\n"}],
    stream=True,
    stop=None,
)
print(answer.choices[0].message.content)`);
  expect(codeFor.typescript('images', { url, request: { model: 'm', prompt: 'A' } })).toBe(`import OpenAI from 'openai';

const client = new OpenAI({ baseURL: 'https://gateway.example/v1', apiKey: process.env.TALLYPORT_API_KEY });
const answer = await client.images.generate({
  "model": "m",
  "prompt": "A"
});
console.log(answer.data?.[0]?.b64_json);`);
});

test('texts to embed are lines, and a voice has a usual name', () => {
  expect(requestOf('embeddings', { model: 'm', prompt: 'One\n\n Two\r\n' })).toEqual({
    model: 'm',
    input: ['One', ' Two'],
  });
  expect(requestOf('speech', { model: 'm', prompt: 'Hi', voice: ' ' })).toEqual({
    model: 'm',
    input: 'Hi',
    voice: 'alloy',
  });
});

test('embeddings and speech as code, and Go for each', () => {
  const speech = { model: 'm', input: 'Hi', voice: 'alloy' };
  expect(codeFor.curl('speech', { url, request: speech })).toMatch(/-d '[^']+' \\\n {2}--output speech.mp3$/);
  expect(codeFor.typescript('speech', { url, request: speech })).toMatch(
    /^import OpenAI[^]*\nimport \{ writeFile \}[^]*await client.audio.speech.create\(/,
  );
  const embeddings = { model: 'm', input: ['`a`'] };
  expect(codeFor.python('embeddings', { url, request: embeddings })).toContain('print(answer.data[0].embedding)');
  expect(codeFor.go('chat', { url, request: { model: 'm' } })).toContain('\tbody := `{"model":"m"}`\n');
  const quoted = codeFor.go('embeddings', { url, request: embeddings });
  expect(quoted).toContain(String.raw`body := "{\"model\":\"m\",\"input\":[\"${'`a`'}\"]}"`);
  expect(quoted).toContain('"https://gateway.example/v1/embeddings"');
  expect(codeFor.go('speech', { url, request: speech })).toMatch(
    /\tfile, err := os.Create\("speech.mp3"\)\n[^]+\tio.Copy\(file, response.Body\)\n\}$/,
  );
});

test('Go gets no byte order mark, which it refuses within a file', () => {
  const input = '\ufeffHi';
  const raw = codeFor.go('embeddings', { url, request: { input } });
  expect(raw).toContain('body := `{"input":"\\ufeffHi"}`');
  const quoted = codeFor.go('embeddings', { url, request: { input: `\`${input}` } });
  expect(quoted).toContain(String.raw`body := "{\"input\":\"${'`'}\\ufeffHi\"}"`);
});

test('the modules of the playground are small, and make no markup', () => {
  const texts = [...assets.keys()]
    .filter((name) => /^(playground|copy).*js$/.test(name))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'));
  expect(texts.join('').length).toBeLessThan(26_000);
  expect(texts.join('')).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|parseFromString|eval\(/);
});
