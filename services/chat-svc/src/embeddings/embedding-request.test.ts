import { embeddingRequest } from '@tallyport/endpoints';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asEmbeddingRequest } from './embedding-request.ts';

const isRead = (input: unknown): boolean => {
  try {
    return asEmbeddingRequest({ model: 'm', input }) !== undefined;
  } catch {
    return false;
  }
};
const isDescribed = (input: unknown): boolean => embeddingRequest.shape.input.safeParse(input).success;

const text = fc.constantFrom('', 'x');
const token = fc.oneof({ weight: 9, arbitrary: fc.nat() }, fc.constantFrom(-1, 1.5, 2 ** 53, null, 'x'));
const tokens = fc.array(token, { maxLength: 4 });
const inputs = fc.oneof(text, tokens, fc.array(fc.oneof(text, tokens), { maxLength: 3 }), fc.constant(null));

test('reads exactly the inputs that the document describes', () => {
  const answers = new Set<boolean>();
  const isSame = (input: unknown): boolean => {
    answers.add(isRead(input));
    return isRead(input) === isDescribed(input);
  };
  fc.assert(fc.property(inputs, isSame), { numRuns: 200 });
  expect(answers.size).toBe(2);
});

test.each([
  [2_048, 'x', true],
  [2_049, 'x', false],
  [2_048, [1], true],
  [2_049, [1], false],
  [2_049, 1, true],
])('reads %i times %o: %o', (length, each, isAccepted) => {
  const input = Array.from({ length }, () => each);
  expect([isRead(input), isDescribed(input)]).toEqual([isAccepted, isAccepted]);
});

const read = (members: object) => asEmbeddingRequest({ model: 'm', input: 'x', ...members }).call;

test.each([
  [{ input_type: 'document' }, { inputType: 'search_document' }],
  [{ input_type: 'query' }, { inputType: 'search_query' }],
  [{ input_type: 'clustering' }, { inputType: 'clustering' }],
  [{ output_dimension: 256 }, { dimensions: 256 }],
  [{ dimensions: 128, output_dimension: 256 }, { dimensions: 128 }],
  [{ output_dtype: 'float' }, {}],
  [{ output_dtype: 'int8', encoding_format: 'float' }, { vectorType: 'int8' }],
  [{ truncation: true }, { truncation: true }],
  [{ truncation: false }, {}],
])('reads %o in the words of all vendors', (members, call) => {
  expect(read(members)).toEqual({ inputs: ['x'], encoding: 'float', ...call });
});

test.each([
  [{ output_dtype: 'int4' }, 'output_dtype'],
  [{ output_dtype: 'int8', encoding_format: 'base64' }, 'encoding_format'],
  [{ truncation: 'yes' }, 'truncation'],
  [{ input_type: 'image' }, 'input_type'],
])('refuses %o', (members, param) => {
  expect(() => read(members)).toThrow(expect.objectContaining({ code: 'invalid_parameters', param }));
});
