import { describe, expect, test } from 'vitest';
import type { Members } from '../read.ts';
import type { SchemaDialect } from './dialect.ts';
import { rewriteSchema } from './rewrite.ts';

/** Typical for strict vendors. */
const dialect: SchemaDialect = {
  keywords: {
    type: 'kept',
    properties: 'kept',
    required: 'kept',
    items: 'kept',
    anyOf: 'kept',
    enum: 'kept',
    const: 'kept',
    $defs: 'kept',
    definitions: 'kept',
    description: 'kept',
    minItems: (value) => (value === 1 ? 'kept' : 'moved'),
    $schema: 'omitted',
    allOf: 'refused',
    oneOf: 'refused',
    prefixItems: 'refused',
  },
  otherwise: 'moved',
  renamed: { oneOf: 'anyOf' },
  objects: 'closed',
  references: 'local',
  untyped: 'refused',
};

const inside = (a: unknown): Members => ({ type: 'object', properties: { a } });
const closed = (a: unknown): Members => ({ ...inside(a), additionalProperties: false });
const sent = (schema: Members) => rewriteSchema(schema, dialect);

describe('rewrites a schema', () => {
  test.each<[string, unknown, unknown]>([
    ['keeps kept keywords', { type: 'string', enum: ['x'] }, { type: 'string', enum: ['x'] }],
    [
      'moves others into the description',
      { type: 'integer', description: 'Age.', minimum: 0, maximum: 150 },
      { type: 'integer', description: 'Age.\n\nConstraints (JSON Schema): {"minimum":0,"maximum":150}' },
    ],
    [
      'adds a description if there is none',
      { type: 'string', pattern: '^x$' },
      { type: 'string', description: 'Constraints (JSON Schema): {"pattern":"^x$"}' },
    ],
    [
      'depends on the value: kept',
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      { type: 'array', items: { type: 'string' }, minItems: 1 },
    ],
    [
      'depends on the value: moved',
      { type: 'array', items: { type: 'string' }, minItems: 2 },
      { type: 'array', items: { type: 'string' }, description: 'Constraints (JSON Schema): {"minItems":2}' },
    ],
    ['leaves out omitted keywords', { type: 'string', $schema: 'x' }, { type: 'string' }],
    ['closes objects at every depth', inside({ type: 'null' }), closed({ type: 'null' })],
    [
      'closes objects in lists',
      { type: 'array', items: inside({ type: 'null' }) },
      { type: 'array', items: closed({ type: 'null' }) },
    ],
    [
      'closes objects among other types',
      { ...inside({ type: 'null' }), type: ['object', 'null'] },
      { ...closed({ type: 'null' }), type: ['object', 'null'] },
    ],
    ['open ones, too', { ...inside({ type: 'null' }), additionalProperties: true }, closed({ type: 'null' })],
    [
      'keeps an empty object',
      { type: 'object', additionalProperties: false },
      { type: 'object', additionalProperties: false },
    ],
    [
      'another name',
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ],
    [
      'replaces an allOf of one part',
      { allOf: [{ type: 'string' }], description: 'd' },
      { type: 'string', description: 'd' },
    ],
    ['adds types implied by values', { enum: ['a', null] }, { type: ['string', 'null'], enum: ['a', null] }],
    [
      'adds types implied by members',
      { properties: {} },
      { type: 'object', properties: {}, additionalProperties: false },
    ],
    [
      'adds types to alternatives',
      { type: 'string', anyOf: [{ enum: ['a'] }, { const: 'b' }] },
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'string', const: 'b' },
        ],
      },
    ],
    [
      'keeps a member of any name',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"null"}}}'),
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"null"}},"additionalProperties":false}'),
    ],
  ])('%s', (_name, a, expected) => {
    expect(sent(inside(a))).toEqual({ ok: true, schema: closed(expected) });
  });

  test('keeps references to definitions, without siblings', () => {
    const $defs = { b: { type: 'string', maxLength: 3 }, 'c/d': inside({ $ref: '#/$defs/b' }) };
    const schema = { ...inside({ $ref: '#/$defs/c~1d', description: 'The c.' }), $defs };
    expect(sent(schema)).toEqual({
      ok: true,
      schema: {
        ...closed({ anyOf: [{ $ref: '#/$defs/c~1d' }], description: 'The c.' }),
        $defs: {
          b: { type: 'string', description: 'Constraints (JSON Schema): {"maxLength":3}' },
          'c/d': closed({ $ref: '#/$defs/b' }),
        },
      },
    });
  });

  test('is repeatable and does not change its input', () => {
    const schema = inside({ type: 'integer', minimum: 0 });
    const before = structuredClone(schema);
    const first = sent(schema);
    expect([schema, sent(schema)]).toEqual([before, first]);
    expect(first.ok && sent(first.schema)).toEqual(first);
  });
});

describe('refuses a schema and names the place', () => {
  test.each<[string, unknown, string]>([
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, '#/properties/a/additionalProperties'],
    ['a map', { type: 'object' }, '#/properties/a/additionalProperties'],
    ['a tuple', { type: 'array', prefixItems: [] }, '#/properties/a/prefixItems'],
    ['any value', {}, '#/properties/a'],
    ['no schema', true, '#/properties/a'],
    ['several parts', { allOf: [{ type: 'string' }, { type: 'string' }] }, '#/properties/a/allOf'],
    ['a contradictory part', { allOf: [{ type: 'string' }], type: 'null' }, '#/properties/a/allOf'],
    ['both kinds of alternatives', { anyOf: [{ type: 'null' }], oneOf: [{ type: 'null' }] }, '#/properties/a/oneOf'],
    ['members beside alternatives', { ...inside({ type: 'null' }), anyOf: [{ type: 'null' }] }, '#/properties/a/anyOf'],
    ['a foreign reference', { $ref: 'https://example.com/x' }, '#/properties/a/$ref'],
    ['itself', { $ref: '#' }, '#/properties/a/$ref'],
  ])('%s', (_name, a, place) => {
    expect(sent(inside(a))).toEqual({ ok: false, place });
  });

  test('a circular definition', () => {
    const $defs = {
      node: inside({ $ref: '#/$defs/list' }),
      list: { type: 'array', items: { $ref: '#/$defs/node' } },
    };
    expect(sent({ ...inside({ $ref: '#/$defs/node' }), $defs })).toEqual({ ok: false, place: '#/properties/a/$ref' });
  });
});

test('changes nothing in a dialect that accepts everything', () => {
  const schema = inside({ type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 });
  const open: SchemaDialect = {
    keywords: {},
    otherwise: 'kept',
    objects: 'as sent',
    references: 'as sent',
    untyped: 'as sent',
  };
  expect(rewriteSchema(schema, open)).toEqual({ ok: true, schema });
});
