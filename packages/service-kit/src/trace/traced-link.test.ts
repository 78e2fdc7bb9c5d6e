import { inProcessLink, type Link } from '@tallyport/bus';
import { expect, onTestFinished, test } from 'vitest';
import { tracedLink } from './traced-link.ts';
import type { Tracing } from './tracing.ts';

const untraced: Tracing = {
  begin: () => {
    throw new Error('Nothing is traced here.');
  },
  within: (_span, work) => work(),
  keep: (work) => work,
  current: () => undefined,
  genAi: false,
};

test('passes on every part of a subscription', () => {
  const plain = inProcessLink();
  onTestFinished(() => plain.close());
  const subscriptions: unknown[][] = [];
  const link: Link = {
    ...plain,
    subscribe(...subscription) {
      subscriptions.push(subscription);
      return plain.subscribe(...subscription);
    },
  };
  const subscription = ['tp.n.test', () => undefined, () => undefined] as const;
  tracedLink(link, untraced).subscribe(...subscription);
  expect(subscriptions).toEqual([subscription]);
});
