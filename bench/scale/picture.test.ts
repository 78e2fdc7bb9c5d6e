import { expect, test } from 'vitest';
import { drawCurves } from './picture.ts';

test('draws each load at its place on logarithmic axes, and the names apart', () => {
  const loads = [
    { edges: 1, cores: 0.0001 },
    { edges: 1_000, cores: 1_000 },
  ];
  const svg = drawCurves({ title: 'a < b', curves: [{ title: 'one', loads }, { title: 'two', loads }] }); // prettier-ignore
  expect(svg).toContain('<title id="title">a &lt; b</title>');
  expect(svg.match(/points="([^"]+)"/g)).toEqual(['points="70,400 560,30"', 'points="70,400 560,30"']);
  expect(svg).toMatch(/y="34">one</);
  expect(svg).toMatch(/y="56">two</);
});

test('a load outside of the axis is drawn at its end', () => {
  const curve = { title: 'none', loads: [{ edges: 1, cores: 0 }, { edges: 10, cores: 1e9 }] }; // prettier-ignore
  expect(drawCurves({ title: '', curves: [curve] })).toContain('points="70,400 233.3,30"');
});
