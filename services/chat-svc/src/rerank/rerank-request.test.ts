import { rerankRequest } from '@tallyport/endpoints';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asRerankRequest } from './rerank-request.ts';

const isRead = (documents: unknown): boolean => {
  try {
    return asRerankRequest({ model: 'm', query: 'q', documents }) !== undefined;
  } catch {
    return false;
  }
};
const isDescribed = (documents: unknown): boolean => rerankRequest.shape.documents.safeParse(documents).success;

const text = fc.constantFrom('', 'x');
const strange = fc.constantFrom(null, 1, true, [], {}, { text: 1 }, { text: 'x', id: 1 }, { image: 'x' });
const document = fc.oneof({ weight: 4, arbitrary: text }, fc.record({ text }), strange);
const documents = fc.oneof({ weight: 9, arbitrary: fc.array(document, { maxLength: 3 }) }, text, strange);

test('reads exactly the documents that the document of the API describes', () => {
  const answers = new Set<boolean>();
  const isSame = (given: unknown): boolean => {
    answers.add(isRead(given));
    return isRead(given) === isDescribed(given);
  };
  fc.assert(fc.property(documents, isSame), { numRuns: 200 });
  expect(answers.size).toBe(2);
});

test.each([
  [10_000, true],
  [10_001, false],
])('reads %i documents: %o', (length, isAccepted) => {
  const given = Array.from({ length }, () => 'x');
  expect([isRead(given), isDescribed(given)]).toEqual([isAccepted, isAccepted]);
});

test('a list of millions is refused by its length, without a look at its entries', () => {
  const looked: unknown[] = [];
  const get = (list: unknown[], name: string | symbol): unknown => {
    if (name === 'length') return 10_000_000;
    looked.push(name);
    return Reflect.get(list, name);
  };
  const given = new Proxy<unknown[]>([], { get });
  expect(() => asRerankRequest({ model: 'm', query: 'q', documents: given })).toThrow('at most 10000 entries');
  expect(looked).toEqual([]);
});
