import { expect, test } from 'vitest';
import { terminalSvg } from './terminal-svg.ts';

test('plays every line in order, escaped, and leaves a fifth of the loop for the end', () => {
  const svg = terminalSvg([{ command: 'echo "<a> & b"', output: '<a> & b\nlast' }], 10_000);
  const texts = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
  const starts = [...svg.matchAll(/0%,([\d.]+)%\{clip-path:inset\(0 100% 0 0\)/g)].map(([, start]) => Number(start));
  expect(texts).toEqual(['$ echo "&lt;a&gt; &amp; b"', '&lt;a&gt; &amp; b', 'last']);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  expect(Math.max(...starts)).toBeLessThan(80);
  expect(svg).toContain('prefers-reduced-motion');
});
