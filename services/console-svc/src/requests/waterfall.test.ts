import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { rowsOf, waterfall } from './waterfall.ts';

const attempt = { status: 200, error: 'none', durationMs: 600, key: 'service', lane: 'translated' } as const;
const failed = {
  ...attempt,
  provider: 'north',
  status: 503,
  error: 'provider_overloaded',
  startMs: 0,
  durationMs: 395,
};
const answering = { ...attempt, provider: 'south', startMs: 395 };

test('a failed attempt and the one that answered follow each other; the first content divides the last', () => {
  const request = { attempts: [failed, answering], durationMs: 995, firstByteMs: 695, planMs: 5 };
  expect(rowsOf(request)).toEqual([
    { name: 'Gateway', text: '5 ms', spans: [{ look: 'plan', from: 0, to: 5 }] },
    { name: '1. north', text: '395 ms, provider overloaded', spans: [{ look: 'failed', from: 5, to: 400 }] },
    {
      name: '2. south',
      text: '600 ms, 200',
      spans: [
        { look: 'wait', from: 400, to: 700 },
        { look: 'content', from: 700, to: 1_000 },
      ],
    },
  ]);
  const page = render(waterfall(request));
  expect(page).toContain(
    'aria-label="995 ms in all: north failed after 395 ms (provider overloaded), then south answered in 600 ms."',
  );
  expect(page).toContain('<rect class="content" x="700.0" width="300.0"');
});

test('attempts without a start, of older records, are drawn one after the other', () => {
  const { startMs: _first, ...north } = failed;
  const { startMs: _second, ...south } = answering;
  const rows = rowsOf({ attempts: [north, south], durationMs: 995 });
  expect(rows.flatMap(({ spans }) => spans)).toEqual([
    { look: 'failed', from: 0, to: 395 },
    { look: 'content', from: 395, to: 995 },
  ]);
});

test('an attempt that took no time can be seen, within the drawing', () => {
  const page = render(waterfall({ attempts: [{ ...failed, startMs: 1_000, durationMs: 0 }], durationMs: 1_000 }));
  expect(page).toContain('<rect class="failed" x="996.0" width="4.0"');
});
