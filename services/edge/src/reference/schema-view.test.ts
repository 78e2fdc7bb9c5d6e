import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import type { ReferenceSchema } from './document.ts';
import { schemaView } from './schema-view.ts';

/** The text of what is shown, in one line. */
function shown(schema: ReferenceSchema, schemas: Record<string, ReferenceSchema> = {}): string | undefined {
  const view = schemaView(schema, schemas);
  if (view === undefined) return undefined;
  const text = render(view).replaceAll(/<\/?(span|code)[^>]*>/g, '');
  return text
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&quot;', '"')
    .trim();
}

const text: ReferenceSchema = { type: 'string' };

test('a value without members shows nothing', () => {
  expect(shown(text)).toBeUndefined();
  expect(shown({ type: 'array', items: text })).toBeUndefined();
  expect(shown({ $ref: '#/components/schemas/Missing' })).toBeUndefined();
});

test('members have their type, bounds and text; those of objects in arrays and maps are inside', () => {
  const inner: ReferenceSchema = { type: 'object', properties: { b: { type: 'integer', minimum: 1 } } };
  const schema: ReferenceSchema = {
    type: 'object',
    required: ['list'],
    properties: {
      list: { type: 'array', items: inner, description: 'Of `these`.' },
      map: { type: 'object', additionalProperties: inner },
    },
  };
  expect(shown(schema)).toBe(
    'list array of object required Of these. Members of list b integer, at least 1 ' +
      'map map to object Members of map b integer, at least 1',
  );
});

test('alternatives are named by what distinguishes them', () => {
  const variant = (type: string): ReferenceSchema => ({ type: 'object', properties: { type: { const: type } } });
  expect(shown({ anyOf: [variant('text'), variant('image'), { type: 'null' }] })).toBe(
    'type: "text" type "text" type: "image" type "image"',
  );
});

test('a schema within itself is shown once, and deep ones end', () => {
  const tree: ReferenceSchema = { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } } };
  expect(shown({ $ref: '#/components/schemas/Tree' }, { Tree: tree })).toBe(
    'child Tree Members of child The members of Tree, as above.',
  );
  const depth = (left: number): ReferenceSchema =>
    left === 0 ? text : { type: 'object', properties: { [`m${left}`]: depth(left - 1) } };
  expect(shown(depth(8))).toContain('m1');
  expect(shown(depth(9))).not.toContain('m1');
  expect(shown(depth(9))).toContain('See the OpenAPI document');
});
