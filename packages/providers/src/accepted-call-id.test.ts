import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptedCallId } from './accepted-call-id.ts';

const accepted = /^[\w-]{1,40}$/;

test('keeps the ids that the vendor accepts', () => {
  expect(acceptedCallId('toolu_01-a', accepted)).toBe('toolu_01-a');
});

test('any other id becomes an accepted one, always the same, and never that of another id', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 60 }), { maxLength: 20 }), (ids) => {
      const sent = ids.map((id) => acceptedCallId(id, accepted));
      expect(sent.every((id) => accepted.test(id))).toBe(true);
      expect(new Set(sent).size).toBe(ids.length);
      expect(ids.map((id) => acceptedCallId(id, accepted))).toEqual(sent);
    }),
  );
});
