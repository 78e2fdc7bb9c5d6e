/** Whether this run is `npm run test:all`. `npm test` runs large tests at a smaller scale. */
export const wholly = process.env['TEST_SCALE'] === 'whole';

/**
 * In `npm test`, every `stride`th item; in `npm run test:all`, all. Samples whose `from` takes `stride` consecutive values
 * cover every item together.
 */
export function sampled<T>(items: readonly T[], { stride, from = 0 }: { stride: number; from?: number }): T[] {
  return wholly ? [...items] : items.filter((_, index) => (index + from) % stride === 0);
}
