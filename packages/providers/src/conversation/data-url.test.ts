import { expect, test } from 'vitest';
import { inlineDataIn } from './data-url.ts';

test.each([
  ['data:image/png;base64,AA==', { mediaType: 'image/png', data: 'AA==' }],
  ['data:image/jpg;base64,AA==', { mediaType: 'image/jpeg', data: 'AA==' }],
  ['data:IMAGE/WEBP;name=x;base64,AA==', { mediaType: 'image/webp', data: 'AA==' }],
  ['data:;base64,AA==', { mediaType: 'text/plain', data: 'AA==' }],
  // The first bytes take precedence over the declared type.
  ['data:image/png;base64,/9j/4AAQ', { mediaType: 'image/jpeg', data: '/9j/4AAQ' }],
  ['data:image/jpeg;base64,iVBORw0KGgo=', { mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
  ['data:image/png;base64,R0lGODlh', { mediaType: 'image/gif', data: 'R0lGODlh' }],
  ['data:image/png;base64,UklGRiQAAABXRUJQ', { mediaType: 'image/webp', data: 'UklGRiQAAABXRUJQ' }],
  ['data:audio/wav;base64,UklGRiQAAABXQVZF', { mediaType: 'audio/wav', data: 'UklGRiQAAABXQVZF' }],
  ['data:text/plain,hello', undefined],
  ['data:image/png;base64', undefined],
  ['https://example.com/a.png', undefined],
])('%s', (url, inline) => {
  expect(inlineDataIn(url)).toEqual(inline);
});
