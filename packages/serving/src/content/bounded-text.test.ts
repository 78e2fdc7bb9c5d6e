import { expect, test } from 'vitest';
import { createBoundedText } from './bounded-text.ts';

test('a text of the largest size is whole, and one byte more is cut and marked', () => {
  const [fits, larger] = [createBoundedText(10), createBoundedText(10)];
  fits.add({ kind: 'text', text: 'x'.repeat(10) });
  larger.add({ kind: 'text', text: 'x'.repeat(11) });
  const parts = [{ kind: 'text', text: 'x'.repeat(10) }];
  expect([fits.text(), larger.text()]).toEqual([
    { parts, cut: false },
    { parts, cut: true },
  ]);
});

test('all parts share the bound, and no character is cut in two', () => {
  const text = createBoundedText(10);
  text.add({ role: 'system', kind: 'text', text: 'größe' });
  text.add({ role: 'user', kind: 'text', text: 'aa€' });
  text.add({ role: 'user', kind: 'text', text: 'b' });
  expect(text.text()).toEqual({
    parts: [
      { role: 'system', kind: 'text', text: 'größe' },
      { role: 'user', kind: 'text', text: 'aa' },
    ],
    cut: true,
  });
  expect(text.isFull()).toBe(true);
});

test('pieces of one part are joined, however they are mixed with others', () => {
  const text = createBoundedText(100);
  text.add({ of: '0', kind: 'text', text: 'Hel' });
  text.add({ of: '1', kind: 'tool_call', name: 'search', text: '' });
  text.add({ of: '0', kind: 'text', text: 'lo' });
  text.add({ of: '1', kind: 'tool_call', text: '{}' });
  text.add({ of: '2', kind: 'file', mediaType: 'audio/mpeg', bytes: 3 });
  text.add({ of: '2', kind: 'file', mediaType: 'audio/mpeg', bytes: 4 });
  expect(text.text().parts).toEqual([
    { kind: 'text', text: 'Hello' },
    { kind: 'tool_call', name: 'search', text: '{}' },
    { kind: 'file', mediaType: 'audio/mpeg', bytes: 7 },
  ]);
});

test('the thousandth part is kept, and the next one is not', () => {
  const text = createBoundedText(100);
  for (let part = 0; part < 1_000; part += 1) text.add({ kind: 'file', bytes: 1 });
  expect(text.text()).toMatchObject({ parts: { length: 1_000 }, cut: false });
  text.add({ kind: 'file', bytes: 1 });
  expect(text.text()).toMatchObject({ parts: { length: 1_000 }, cut: true });
});
