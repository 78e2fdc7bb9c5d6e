import { GatewayError } from '@switchyard/contracts';
import { describe, expect, test } from 'vitest';
import { vendorOffer } from '../translate.ts';
import { canonicalRequests } from './canonical-requests.ts';
import { columns } from './columns.ts';

/** The whole body each provider sends, side by side: one canonical request a row, one provider a column. */
describe.each(Object.entries(canonicalRequests))('%s', (name, request) => {
  test.each(columns.map((column) => [column.title, column] as const))('%s', (_title, { provider, offer, bodies }) => {
    const sent = (): unknown => {
      try {
        return JSON.parse(provider.request({ request, stream: false }, vendorOffer(provider, offer)).body);
      } catch (error) {
        if (error instanceof GatewayError) return { refused: error.code, param: error.param };
        throw error;
      }
    };
    expect(sent()).toEqual(Object.entries(bodies).find(([row]) => row === name)?.[1]);
  });
});
