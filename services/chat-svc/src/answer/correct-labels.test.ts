import type { AnswerImage } from '@tallyport/wire';
import { longStrings } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { withCorrectLabels } from './correct-labels.ts';

const jpeg = Buffer.from('ffd8ffe000104a4649460001', 'hex').toString('base64');

const image = (url: string): AnswerImage => ({ type: 'image_url', image_url: { url }, index: 0 });

test.each([
  ['what is called PNG and is JPEG', `data:image/png;base64,${jpeg}`, `data:image/jpeg;base64,${jpeg}`],
  ['what is called right', `data:image/jpeg;base64,${jpeg}`, `data:image/jpeg;base64,${jpeg}`],
  ['an unknown type', 'data:image/x;base64,AAAAAAAA', 'data:image/x;base64,AAAAAAAA'],
  ['an address', 'https://example.com/cat.png', 'https://example.com/cat.png'],
])('%s', (_name, url, expected) => {
  expect(withCorrectLabels([image(url)])).toEqual([image(expected)]);
});

test('detects a large image by its first slices, without copying it', () => {
  const slices = [jpeg.slice(0, 3), jpeg.slice(3)].map((part) => Buffer.from(part));
  const strings = longStrings('n', [slices]);
  const [placeholder] = strings.byPlaceholder.keys();
  expect(withCorrectLabels([image(`data:image/png;base64,${placeholder}`)], strings)).toEqual([
    image(`data:image/jpeg;base64,${placeholder}`),
  ]);
});

test.each([[null], ['text'], [[null]], [[{}]], [[{ image_url: { url: 5 } }]]])(
  '%j of a vendor stays as it is',
  (odd) => {
    expect(withCorrectLabels(odd as unknown as AnswerImage[])).toEqual(odd);
  },
);
