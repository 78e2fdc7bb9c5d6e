import { GatewayError } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { imageOfferOf } from '../images.ts';
import { canonicalCalls } from './canonical-calls.ts';
import type { ImageColumn } from './column.ts';
import { imageColumns } from './columns.ts';

/** The whole request for each model, side by side: one canonical call per row, one model per column. */
describe.each(Object.entries(canonicalCalls))('%s', (name, call) => {
  const columns = imageColumns.map((column) => [column.model, column] as const);
  test.each(columns)('%s', (_model, { provider, model, sent }: ImageColumn) => {
    const asked = (): unknown => {
      try {
        const { path, body } = provider.request(call, imageOfferOf(provider, model));
        return [path, JSON.parse(body)];
      } catch (error) {
        if (error instanceof GatewayError) return { refused: error.code, param: error.param };
        throw error;
      }
    };
    expect(asked()).toEqual(Object.entries(sent).find(([row]) => row === name)?.[1]);
  });
});
