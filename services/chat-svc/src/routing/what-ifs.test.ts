import { GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { readWhatIfs } from './what-ifs.ts';

test('reads what is assumed about each provider', () => {
  expect(readWhatIfs(undefined)).toBeUndefined();
  expect(readWhatIfs('path=/v1/messages')).toBeUndefined();
  expect(readWhatIfs('uptime=openai:50,azure:99.5&price=azure:2&slowness=openai:0.5')).toEqual(
    new Map([
      ['openai', { uptime: 0.5, slowness: 0.5 }],
      ['azure', { uptime: 0.995, price: 2 }],
    ]),
  );
});

test.each([
  ['uptime=a:100', true],
  ['uptime=a:100.1', false],
  ['uptime=a:0', true],
  ['uptime=a:-1', false],
  ['uptime=50', false],
  ['uptime=a:', false],
  ['uptime=', false],
  ['price=a:1000', true],
  ['price=a:1001', false],
  ['slowness=a:0.01', true],
  ['slowness=a:0', false],
  ['slowness=a:1e3', false],
])('%s is accepted: %s', (query, isAccepted) => {
  const [param] = query.split('=');
  expect(problemOf(query)).toEqual(isAccepted ? undefined : ['invalid_parameters', param]);
});

function problemOf(query: string): unknown {
  try {
    readWhatIfs(query);
  } catch (error) {
    return error instanceof GatewayError ? [error.code, error.param] : error;
  }
}
