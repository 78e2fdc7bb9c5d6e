import { expect, test, vi } from 'vitest';
import { createSubscriptions } from './subscriptions.ts';

test('reports a change only for the first and the last subscriber of a channel', () => {
  const onChange = vi.fn();
  const subscriptions = createSubscriptions(() => {}, onChange);
  const [first, second] = [subscriptions.add('a', () => {}), subscriptions.add('a', () => {})];
  expect([onChange.mock.calls.length, [...subscriptions.channels()]]).toEqual([1, ['a']]);
  first();
  expect([onChange.mock.calls.length, [...subscriptions.channels()]]).toEqual([1, ['a']]);
  second();
  expect([onChange.mock.calls.length, [...subscriptions.channels()]]).toEqual([2, []]);
});

test('a handler may subscribe twice and unsubscribe once', () => {
  const subscriptions = createSubscriptions(
    () => {},
    () => {},
  );
  const handler = vi.fn();
  subscriptions.add('a', handler)();
  subscriptions.add('a', handler);
  const stop = subscriptions.add('a', handler);
  stop();
  stop();
  subscriptions.deliver('a', Uint8Array.of(1));
  expect(handler.mock.calls).toEqual([[Uint8Array.of(1)]]);
});

test('a failure is reported again only after a success', () => {
  const report = vi.fn();
  const subscriptions = createSubscriptions(report, () => {});
  subscriptions.add('a', ([first]) => {
    if (first === 0) throw new Error('zero');
  });
  for (const value of [0, 0, 1, 0]) subscriptions.deliver('a', Uint8Array.of(value));
  expect(report).toHaveBeenCalledTimes(2);
});

test('a handler that unsubscribes during a delivery does not affect the others', () => {
  const subscriptions = createSubscriptions(
    () => {},
    () => {},
  );
  const received: string[] = [];
  const stop = subscriptions.add('a', () => {
    received.push('first');
    stop();
  });
  subscriptions.add('a', () => received.push('second'));
  subscriptions.deliver('a', Uint8Array.of(1));
  subscriptions.deliver('a', Uint8Array.of(1));
  expect(received).toEqual(['first', 'second', 'second']);
});
