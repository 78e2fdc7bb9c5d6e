import { expect, test } from 'vitest';
import { addressRanges } from './address-ranges.ts';

test.each([
  ['203.0.113.7', ['203.0.113.7', '::ffff:203.0.113.7'], ['203.0.113.8', '::1']],
  ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255', '::FFFF:10.1.2.3'], ['9.255.255.255', '11.0.0.0', '2001:db8::1']],
  ['0.0.0.0/0', ['1.2.3.4', '::ffff:255.255.255.255'], ['::1', '2001:db8::1']],
  ['2001:db8::/32', ['2001:db8::1', '2001:0DB8:ffff::'], ['2001:db9::', '32.1.13.184']],
  ['::1', ['::1', '0:0:0:0:0:0:0:1'], ['::2', '127.0.0.1']],
  ['::ffff:10.0.0.0/104', ['10.1.2.3', '::ffff:10.1.2.3'], ['11.0.0.0']],
])('%s contains %j but not %j', (range, inside, outside) => {
  const { has } = addressRanges([range]);
  expect([inside.filter(has), outside.filter(has)]).toEqual([inside, []]);
});

test('text that is not an address is in no range', () => {
  const { has } = addressRanges(['0.0.0.0/0', '::/0']);
  expect(['', 'unknown', '1.2.3', '1.2.3.4.5', 'localhost'].filter(has)).toEqual([]);
});

test.each([
  '10.0.0.0/33',
  'fd00::/129',
  '10.0.0/8',
  'localhost',
  '',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '::ffff:10.0.0.0/95',
])('rejects "%s" by name', (text) =>
  expect(() => addressRanges([text])).toThrow(RangeError(`"${text}" is neither an address nor a range`).message),
);
