import { expect, test } from 'vitest';
import { measureLag, patient } from './patience.ts';

test('a busy machine has more patience, and none has less', () => {
  expect(measureLag()).toBeGreaterThanOrEqual(1);
  expect(patient(1_000)).toBeGreaterThanOrEqual(1_000);
});
