import { expect, test } from 'vitest';
import { chooseSource } from './source.ts';

test.for([
  [{ docker: true, programs: true, packages: true }, 'container'],
  [{ docker: false, programs: true, packages: true }, 'program'],
  [{ docker: false, programs: false, packages: true }, 'package'],
  [{ docker: false, programs: false, packages: false }, 'nothing'],
  [{ docker: true, programs: false, packages: false }, 'container'],
] as const)('%o: %s', ([available, source]) => {
  expect(chooseSource(available)).toBe(source);
});
