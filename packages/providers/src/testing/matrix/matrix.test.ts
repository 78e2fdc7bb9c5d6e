import { GatewayError } from '@tallyport/contracts';
import type { ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { vendorOffer } from '../translate.ts';
import { canonicalRequests } from './canonical-requests.ts';
import type { Column } from './column.ts';
import { columns } from './columns.ts';
import { furtherRequests } from './further-requests.ts';

/** The whole body for each provider, side by side: one canonical request per row, one provider per column. */
describe.each(Object.entries(canonicalRequests))('%s', (name, request) => {
  test.each(titled(columns))('%s', (_title, column) => {
    expect(sentBy(column, request)).toEqual(rowOf(column.bodies, name));
  });
});

describe.each(Object.entries(furtherRequests))('%s', (name, request) => {
  test.each(titled(columns.filter(({ further }) => further !== undefined)))('%s', (_title, column) => {
    expect(sentBy(column, request)).toEqual(rowOf(column.further ?? {}, name));
  });
});

function titled(list: readonly Column[]): [string, Column][] {
  return list.map((column) => [column.title, column]);
}

function sentBy({ provider, offer }: Column, request: ChatRequest): unknown {
  try {
    return JSON.parse(provider.request({ request, stream: false }, vendorOffer(provider, offer)).body);
  } catch (error) {
    if (error instanceof GatewayError) return { refused: error.code, param: error.param };
    throw error;
  }
}

const rowOf = (bodies: object, name: string): unknown => Object.entries(bodies).find(([row]) => row === name)?.[1];
