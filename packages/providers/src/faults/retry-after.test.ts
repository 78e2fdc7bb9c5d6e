import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const date = 'Fri, 20 Nov 2026 12:00:00 GMT';

test.each([
  [{ 'retry-after': '2' }, 2_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': ['3', '4'] }, 3_000],
  [{ 'retry-after-ms': '120', 'retry-after': '2' }, 120],
  [{ 'retry-after-ms': 'soon', 'retry-after': '2' }, 2_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT', date }, 30_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 11:59:30 GMT', date }, 0],
  [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }, undefined],
  [{ 'retry-after': '99999999999' }, 86_400_000],
  [{ 'retry-after': '-1' }, undefined],
  [{ 'retry-after': 'later' }, undefined],
  [{}, undefined],
])('%j is %s', (headers, milliseconds) => {
  expect(retryAfterMs(headers)).toBe(milliseconds);
});
