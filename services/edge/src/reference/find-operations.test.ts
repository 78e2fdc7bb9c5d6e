import { expect, test } from 'vitest';
import { areasOf } from './areas.ts';
import { readReferenceDocument } from './document.ts';
import { findOperations, longestQuery } from './find-operations.ts';

const document = readReferenceDocument();
const reference = { document, areas: areasOf(document) };
const idsFor = (text: string) => findOperations(reference, text).map(({ operation }) => operation.operationId);

test.each([
  ['POST /v1/embeddings', ['createEmbeddings']],
  ['message TOKENS', ['countMessageTokens']],
  ['top_p', ['createChatCompletion']],
  ['nothing has this', []],
])('%s finds %j first', (text, ids) => {
  expect(idsFor(text).slice(0, 1)).toEqual(ids);
});

test('names and summaries come before parameters and members of bodies', () => {
  const found = idsFor('response_format');
  expect(found).toEqual(expect.arrayContaining(['createTranscription', 'generateImages']));
  const budget = idsFor('budget');
  expect(budget).toContain('createKey');
  expect(budget.indexOf('listBudgets')).toBeLessThan(budget.indexOf('createKey'));
});

test('a long list and a long text are cut', () => {
  expect(idsFor('')).toHaveLength(40);
  expect(idsFor(`${' '.repeat(longestQuery - 4)}speechless`)).toEqual(['createSpeech']);
  expect(idsFor('speechless')).toEqual([]);
});
