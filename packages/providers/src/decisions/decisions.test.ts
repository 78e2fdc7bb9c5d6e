import { offerOf } from '@tallyport/contracts/testing';
import { describe, expect, test } from 'vitest';
import { findChatProvider } from '../chat-providers.ts';
import { customProvider } from '../custom/custom-provider.ts';
import type { DecisionCall, DecisionQuestion } from '../spec/decision-call.ts';

const server = { id: 'own', baseUrl: 'https://own.example', keyVariable: 'OWN' };
const own = customProvider({ ...server, quirks: { decisions: 'systemone' } });

function formatOf(id: string) {
  const format = ({ own }[id] ?? findChatProvider(id))?.decisions;
  if (format === undefined) throw new Error(`${id} decides nothing.`);
  return format;
}

const questions: DecisionQuestion[] = [
  { type: 'predicate', name: 'urgent', instructions: 'Is it urgent?', criteria: { true: 'today', false: 'later' } },
  { type: 'choice', instructions: 'Who?', choices: [{ value: 'a', description: 'A team' }, { value: true }] },
  { type: 'score', instructions: 'How angry?', levels: [{ label: 'calm' }, { label: 'mad', description: 'shouts' }] },
];
const call: DecisionCall = {
  subject: { kind: 'input', input: 'text' },
  questions,
  hints: { safety_identifier: 'me', prompt_cache_key: 'key' },
};
const messages = [
  { role: 'user', content: 'first' },
  {
    role: 'user',
    content: [
      { type: 'input_text', text: 'second' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
    ],
  },
];

test.each([
  ['openai', '/decisions'],
  ['fireworks', '/decisions'],
])('%s gets a list of questions, and what true and false mean in the instructions', (id, path) => {
  const request = formatOf(id).request(call, offerOf(id, { modelName: 'm' }));
  expect([request.path, JSON.parse(request.body)]).toEqual([
    path,
    {
      model: 'm',
      input: 'text',
      questions: [
        { type: 'predicate', name: 'urgent', instructions: 'Is it urgent?\ntrue: today\nfalse: later' },
        questions[1],
        questions[2],
      ],
      safety_identifier: 'me',
      prompt_cache_key: 'key',
    },
  ]);
});

test.each(['own', 'typesafe'])('%s gets a map of questions, with names for those that have none', (id) => {
  const request = formatOf(id).request(call, offerOf(id, { modelName: 'm' }));
  expect([request.path, JSON.parse(request.body)]).toEqual([
    '/systemone',
    {
      model: 'm',
      state: 'text',
      questions: {
        urgent: { type: 'noul', instructions: 'Is it urgent?', criteria: { true: 'today', false: 'later' } },
        question_2: { type: 'choice', instructions: 'Who?', criteria: { a: 'A team', true: 'true' } },
        question_3: { type: 'score', instructions: 'How angry?', criteria: ['calm', 'mad: shouts'] },
      },
    },
  ]);
});

test('an invented name is never that of another question', () => {
  const asked: DecisionQuestion[] = [
    { type: 'predicate', instructions: 'a' },
    { type: 'predicate', name: 'question_1', instructions: 'b' },
    { type: 'predicate', name: '__proto__', instructions: 'c' },
  ];
  const { body } = formatOf('typesafe').request({ ...call, questions: asked }, offerOf('typesafe'));
  expect(Object.keys(JSON.parse(body).questions)).toEqual(['question_1_', 'question_1', '__proto__']);
});

test('the state of one is the text of the other', () => {
  const state = { subject: 'payout' };
  const ofState: DecisionCall = { ...call, subject: { kind: 'state', state } };
  const ofMessages: DecisionCall = { ...call, subject: { kind: 'input', input: messages } };
  const sent = (id: string, asked: DecisionCall) => JSON.parse(formatOf(id).request(asked, offerOf(id)).body);
  expect(sent('openai', ofState).input).toBe('{"subject":"payout"}');
  expect(sent('typesafe', ofState).state).toEqual(state);
  expect(sent('openai', ofMessages).input).toEqual(messages);
  expect(sent('typesafe', ofMessages).state).toBe('first\nsecond\n');
});

const scoreOf = (levels: number): DecisionQuestion => ({
  type: 'score',
  instructions: 'i',
  levels: Array.from({ length: levels }, (_, at) => ({ label: String(at) })),
});
const choiceOf = (...values: (string | boolean)[]): DecisionQuestion => ({
  type: 'choice',
  instructions: 'i',
  choices: values.map((value) => ({ value })),
});

test.each([
  ['openai', { questions: [choiceOf('a')] }, 'questions'],
  ['openai', { questions: [choiceOf('true', true), scoreOf(11)] }, undefined],
  ['openai', { subject: { kind: 'input', input: messages } }, undefined],
  ['typesafe', { questions: [choiceOf('a')] }, undefined],
  ['typesafe', { questions: [choiceOf('true', true)] }, 'questions'],
  ['typesafe', { questions: [scoreOf(10)] }, undefined],
  ['typesafe', { questions: [scoreOf(11)] }, 'questions'],
  ['typesafe', { subject: { kind: 'input', input: messages } }, 'input'],
] as const)('%s with %o: unsupported is %s', (id, changes, member) => {
  expect(formatOf(id).unsupported({ ...call, ...changes }, offerOf(id))).toBe(member);
});

const answers = [
  { type: 'predicate', probability: 0.9 },
  { type: 'choice', chosen: 1, confidence: 0.5, probabilities: [0.3, 0.7] },
  { type: 'score', score: 1.5, confidence: 0.4, probabilities: [0.5, 0.5], values: [1, 2] },
];
const inList = [
  { type: 'predicate', name: 'urgent', probability: 0.9 },
  {
    type: 'choice',
    name: null,
    choice: true,
    confidence: 0.5,
    probabilities: [
      { value: true, probability: 0.7 },
      { value: 'a', probability: 0.3 },
    ],
  },
  {
    type: 'score',
    name: null,
    score: 1.5,
    confidence: 0.4,
    probabilities: [
      { label: 'calm', value: 1, probability: 0.5 },
      { label: 'mad', value: 2, probability: 0.5 },
    ],
  },
];
const inMap = {
  urgent: { type: 'noul', noul: 0.9 },
  question_2: { type: 'choice', choice: 'true', confidence: 0.5, probabilities: { true: 0.7, a: 0.3 } },
  question_3: { type: 'score', score: 0.5, confidence: 0.4, probabilities: { 0: 0.5, 1: 0.5 } },
};

test('reads the answers of both formats', () => {
  expect(formatOf('openai').response({ answers: inList, usage: { input_tokens: 7, output_tokens: 3 } }, call)).toEqual({
    answers,
    promptTokens: 7,
  });
  const [first, second] = answers;
  expect(formatOf('typesafe').response({ answers: inMap }, call)).toEqual({
    answers: [first, second, { ...answers[2], score: 0.5, values: [0, 1] }],
  });
});

test('a refusal is an answer', () => {
  const declined = inList.map(({ name }) => ({ type: 'refusal', name }));
  expect(formatOf('openai').response({ answers: declined }, call).answers).toEqual(
    declined.map(() => ({ type: 'refusal' })),
  );
});

describe('an answer that cannot be used is a fault of the provider', () => {
  const [predicate, choice, score] = inList;
  test.each<[string, unknown]>([
    ['no object', []],
    ['no answers', {}],
    ['a missing answer', { answers: [predicate, choice] }],
    ['an answer too many', { answers: [predicate, choice, score, score] }],
    ['another type', { answers: [choice, choice, score] }],
    ['a probability above 1', { answers: [{ ...predicate, probability: 1.1 }, choice, score] }],
    ['a probability below 0', { answers: [{ ...predicate, probability: -0.1 }, choice, score] }],
    ['an infinite probability', { answers: [{ ...predicate, probability: JSON.parse('1e999') }, choice, score] }],
    ['a probability as text', { answers: [{ ...predicate, probability: 'NaN' }, choice, score] }],
    ['a choice of none', { answers: [predicate, { ...choice, choice: 'true' }, score] }],
    ['a choice without a probability', { answers: [predicate, { ...choice, probabilities: [] }, score] }],
    ['a level without a probability', { answers: [predicate, choice, { ...score, probabilities: [] }] }],
    ['an infinite score', { answers: [predicate, choice, { ...score, score: JSON.parse('-1e999') }] }],
  ])('%s of OpenAI', (_name, body) => {
    expect(() => formatOf('openai').response(body, call)).toThrow(
      expect.objectContaining({ code: 'upstream_error', domain: 'provider' }),
    );
  });

  test.each<[string, object]>([
    ['no answer', { urgent: undefined }],
    ['an answer of another type', { urgent: inMap.question_2 }],
    ['a choice of none', { question_2: { ...inMap.question_2, choice: 'constructor' } }],
    ['a choice without a probability', { question_2: { ...inMap.question_2, probabilities: { a: 1 } } }],
    ['a level without a probability', { question_3: { ...inMap.question_3, probabilities: { 0: 1 } } }],
    ['no score', { question_3: { ...inMap.question_3, score: null } }],
  ])('%s of System One', (_name, changes) => {
    expect(() => formatOf('typesafe').response({ answers: { ...inMap, ...changes } }, call)).toThrow('cannot be read');
  });
});
