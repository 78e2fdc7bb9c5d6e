import { type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import { type ChatCompletion, type ChunkDelta, parseChatRequest } from '@tallyport/wire';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import type { DialectEvent } from '../dialect.ts';
import type { GeminiAnswerPart, GeminiCandidate, GenerateContentAnswer } from './answer-types.ts';
import { geminiDialect } from './index.ts';
import { chunksOf, completions, mixedChunksOf } from './testing/completions.ts';
import { bodyOf, requestOf, translatedOf } from './testing/request.ts';

const shown = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
const read = (members: object = shown) => geminiDialect.read(requestOf(bodyOf(members)));
const answerTo = (completion: ChatCompletion) => read().answer(completion) as GenerateContentAnswer;

function eventsOf(completion: ChatCompletion, inChunks = chunksOf): DialectEvent[] {
  const stream = read().stream();
  return [...inChunks(completion).flatMap((chunk) => stream.chunk(chunk)), ...stream.end()];
}

/** What a client makes of the pieces: texts of one kind in a row are one text, unless they are signed. */
function folded(events: readonly DialectEvent[]): GenerateContentAnswer {
  const pieces = events.map(({ data }) => data as GenerateContentAnswer);
  const last = pieces.at(-1)!;
  const candidates = last.candidates.map((end): GeminiCandidate => {
    const own = pieces.flatMap((piece) => piece.candidates.filter(({ index }) => index === end.index));
    const parts = own.flatMap(({ content }) => content.parts).reduce(joined, []);
    return { ...own.reduce((all, piece) => ({ ...all, ...piece })), content: { role: 'model', parts } };
  });
  return { ...last, candidates };
}

function joined(parts: GeminiAnswerPart[], part: GeminiAnswerPart): GeminiAnswerPart[] {
  const last = parts.at(-1);
  if (last === undefined || !('text' in last) || !('text' in part)) return [...parts, part];
  const isSigned = 'thoughtSignature' in last || 'thoughtSignature' in part;
  if (isSigned || last.thought !== part.thought) return [...parts, part];
  return [...parts.slice(0, -1), { ...last, text: last.text + part.text }];
}

describe.each(Object.entries(completions))('%s', (_name, completion) => {
  test('the streamed pieces amount to the plain answer', () => {
    expect(folded(eventsOf(completion))).toEqual(answerTo(completion));
  });

  test('so do the pieces of parallel calls that are mixed', () => {
    expect(folded(eventsOf(completion, mixedChunksOf))).toEqual(answerTo(completion));
  });

  test('only the last piece has the reason of the end and the usage', () => {
    const pieces = eventsOf(completion).map(({ data }) => data as GenerateContentAnswer);
    const ends = pieces.map(({ candidates, usageMetadata }) => [
      candidates.every(({ finishReason }) => finishReason !== undefined),
      usageMetadata !== undefined,
    ]);
    expect(ends).toEqual(pieces.map((_piece, at) => (at === pieces.length - 1 ? [true, true] : [false, false])));
  });

  test('sent back as history, the answer is the message it was made from', () => {
    const [candidate] = answerTo(completion).candidates;
    const { chat } = read({ contents: [...(bodyOf() as { contents: [] }).contents, candidate?.content] });
    expect(chat.messages.slice(1)).toEqual(historyOf(completion));
    expect(parseChatRequest(chat)).toMatchObject({ ok: true });
  });
});

/** As a client of the chat sends it back. A refusal is the text where nothing else is. */
function historyOf({ choices: [choice] }: ChatCompletion): unknown[] {
  const { role, content, refusal, annotations: _annotations, ...rest } = choice!.message;
  if (!content && !refusal && Object.keys(rest).length === 0) return [];
  const images = rest.images?.map(({ index: _index, ...image }) => image);
  const said = content ?? refusal ?? ('tool_calls' in rest ? null : '');
  return [{ role, content: said, ...rest, ...(images && { images }) }];
}

const stopped = (input: string, finish_reason: 'tool_calls' | 'length'): ChatCompletion => {
  const [, completion] = Object.entries(completions).find(([name]) => name === 'a signed call')!;
  const call = { id: 'a', type: 'function' as const, function: { name: 'tool_a', arguments: input } };
  const message = { role: 'assistant' as const, content: null, refusal: null, tool_calls: [call] };
  return { ...completion, choices: [{ index: 0, logprobs: null, finish_reason, message }] };
};

test.each([
  ['{"city":"Par', 'tool_calls', 'MALFORMED_FUNCTION_CALL', 'Malformed function call: tool_a({"city":"Par)'],
  ['[1]', 'tool_calls', 'MALFORMED_FUNCTION_CALL', 'Malformed function call: tool_a([1])'],
  ['{"city":"Par', 'length', 'MAX_TOKENS', undefined],
] as const)(
  'arguments that are no JSON object never become a call: %s, %s',
  (input, reason, finishReason, finishMessage) => {
    const completion = stopped(input, reason);
    const [candidate] = answerTo(completion).candidates;
    expect(candidate).toEqual({
      content: { role: 'model', parts: [] },
      index: 0,
      finishReason,
      ...(finishMessage && { finishMessage }),
    });
    expect(folded(eventsOf(completion))).toEqual(answerTo(completion));
  },
);

test('blanks behind a call that is complete are no call of their own', () => {
  const { interleaved } = completions;
  if (interleaved === undefined) throw new TypeError('There is no such completion.');
  const blank: ChunkDelta = { tool_calls: [{ index: 0, function: { arguments: '\n' } }] };
  const withBlank = (completion: ChatCompletion) =>
    chunksOf(completion).flatMap((chunk) => {
      const [choice] = chunk.choices;
      if (choice?.finish_reason == null) return chunk;
      return [{ ...chunk, choices: [{ ...choice, delta: blank, finish_reason: null }] }, chunk];
    });
  expect(folded(eventsOf(interleaved, withBlank))).toEqual(answerTo(interleaved));
});

test('thinking that another vendor signed is the signature of its first call', () => {
  const [thought, first, second] = answerTo(completions['calls after thinking that another vendor signed']!)
    .candidates[0]!.content.parts;
  expect([thought, second]).toMatchObject([{ text: 'Hmm.', thought: true }, { functionCall: { id: 'b' } }]);
  expect(second).not.toHaveProperty('thoughtSignature');
  const { thoughtSignature } = first!;
  expect(thoughtSignature).toMatch(/^dGFsbHlwb3J0LTEu[\w+/]+=*$/);
  const changed = { role: 'model', parts: [{ ...first, thoughtSignature: `${thoughtSignature!.slice(0, -8)}AAAA` }] };
  const body = bodyOf({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }, changed] });
  expect(() => translatedOf(body)).toThrow('contents[1].parts[0].thoughtSignature');
});

test('thoughts are shown only to clients that ask for them', () => {
  const { answer, stream } = geminiDialect.read(requestOf(bodyOf()));
  const completion = completions['signed reasoning']!;
  const translator = stream();
  const events = [...chunksOf(completion).flatMap((chunk) => translator.chunk(chunk)), ...translator.end()];
  expect(JSON.stringify(answer(completion))).not.toContain('Hmm.');
  expect(folded(events)).toEqual(answer(completion));
});

/** Enumerations of the SDK are texts on the wire. */
type Plain<Type> = Type extends string
  ? `${Type}`
  : Type extends object
    ? { [Name in keyof Type]: Plain<Type[Name]> }
    : Type;

test('an answer is what the vendor’s clients read', () => {
  type Members = 'candidates' | 'modelVersion' | 'responseId' | 'usageMetadata';
  expectTypeOf<GenerateContentAnswer>().toExtend<Plain<Pick<GenerateContentResponse, Members>>>();
});

test('the vendor’s client reads a plain answer and a stream', async () => {
  const completion = completions['text and parallel tools']!;
  const sse = eventsOf(completion)
    .map(({ data }) => `data: ${JSON.stringify(data)}\n\n`)
    .join('');
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (url) =>
      String(url).includes('alt=sse')
        ? new Response(sse, { headers: { 'content-type': 'text/event-stream' } })
        : Response.json(answerTo(completion)),
    );
  const { models } = new GoogleGenAI({ apiKey: 'key', vertexai: false });
  const asked = { model: 'gemini-3-pro', contents: 'Hi' };
  const plain = await models.generateContent(asked);
  const names: string[] = [];
  for await (const piece of await models.generateContentStream(asked)) {
    names.push(...(piece.functionCalls ?? []).map(({ name }) => name ?? ''));
  }
  fetched.mockRestore();
  expect(plain.text).toBe('Looking.');
  expect(plain.functionCalls?.map(({ args }) => args)).toEqual([{ q: 1 }, {}]);
  expect(names).toEqual(['tool_a', 'tool_b']);
});
