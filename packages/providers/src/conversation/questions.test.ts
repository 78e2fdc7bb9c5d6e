import { describe, expect, test } from 'vitest';
import { lastQuestion, questionsWithCalls } from './questions.ts';

const roles = (text: string) => text.split(' ').map((role) => ({ role }));

describe('the last question', () => {
  test.each([
    ['system', -1],
    ['user', 0],
    ['user user', 1],
    ['user assistant user', 2],
    ['user assistant tool', 0],
    ['user assistant tool user', 0],
    ['user assistant tool system user user', 0],
    ['user assistant tool tool assistant user', 5],
    ['user assistant function user', 0],
    ['user assistant results user', 0],
  ])('of %s', (conversation, place) => {
    expect(lastQuestion(roles(conversation))).toBe(place);
  });
});

test('marks every message of a question in which tools were called', () => {
  const messages = roles('system user assistant user assistant caller tool assistant user user caller');
  const called = questionsWithCalls(messages, ({ role }) => role === 'caller');
  expect(messages.map(({ role }, place) => `${role}${called[place] === true ? '!' : ''}`).join(' ')).toBe(
    'system user assistant user! assistant! caller! tool! assistant! user user! caller!',
  );
});

test('reads a hundred thousand messages at once', () => {
  const many = (role: string) => Array.from({ length: 100_000 }, () => ({ role }));
  for (const messages of [many('user'), [{ role: 'tool' }, ...many('user')], many('tool'), many('assistant')]) {
    expect(questionsWithCalls(messages, ({ role }) => role !== 'tool')).toHaveLength(messages.length);
    expect(lastQuestion(messages)).toBe(messages[0]?.role === 'user' ? 99_999 : -1);
  }
});
