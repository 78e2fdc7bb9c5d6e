import { ConfigError, readConfig } from '@tallyport/service-kit';
import { expect, test } from 'vitest';
import { allInOneConfig } from './config.ts';
import { composedServices, runsAll } from './services.ts';

const every = {
  NATS_URL: 'nats://127.0.0.1:4222',
  REDIS_URL: 'redis://127.0.0.1:6379',
  DATABASE_URL: 'postgres://127.0.0.1:5432/tallyport',
  INTERNAL_SECRET: '0123456789abcdef0123456789abcdef',
};

const read = (environment: Record<string, string>) => readConfig(allInOneConfig, { environment });

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    read(environment);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
}

test.each<Record<string, string>>([{}, { SERVICES: '' }, { SERVICES: ' , ' }])(
  '%j runs all services, which need no server',
  (environment) => {
    const config = read(environment);
    expect([runsAll(config), composedServices(config).length]).toEqual([true, 9]);
  },
);

test('a list runs the services that it names, each once', () => {
  const config = read({ ...every, SERVICES: 'edge, chat-svc,edge,' });
  expect([runsAll(config), composedServices(config)]).toEqual([false, ['edge', 'chat-svc']]);
});

test('an unknown service is refused with the list of the known ones', () => {
  expect(problemsOf({ ...every, SERVICES: 'edge,chat' })).toEqual([
    'SERVICES: must be a comma-separated list of auth-svc, ledger-svc, catalog-svc, chat-svc, image-svc, batch-svc, mcp-svc, console-svc, edge, but is "edge,chat".',
  ]);
});

test.each([
  ['edge', 'NATS_URL, REDIS_URL, INTERNAL_SECRET'],
  ['console-svc', 'NATS_URL, INTERNAL_SECRET'],
  ['chat-svc,image-svc', 'NATS_URL, REDIS_URL'],
  ['catalog-svc', 'NATS_URL, DATABASE_URL'],
  ['chat-svc,auth-svc', 'NATS_URL, REDIS_URL, DATABASE_URL'],
])('%s without servers is refused, and what it requires suffices', (SERVICES, required) => {
  expect(problemsOf({ SERVICES })).toEqual([
    `SERVICES: ${SERVICES.split(',').join(', ')} without the other services requires ${required}; set them, or leave SERVICES empty to run all services in one process.`,
  ]);
  const given = Object.fromEntries(Object.entries(every).filter(([name]) => required.includes(name)));
  expect(problemsOf({ SERVICES, ...given })).toEqual([]);
});

test('a single missing setting is named', () => {
  const { INTERNAL_SECRET: _, ...others } = every;
  expect(problemsOf({ ...others, SERVICES: 'edge,chat-svc' })).toEqual([
    'SERVICES: edge, chat-svc without the other services requires INTERNAL_SECRET; set it, or leave SERVICES empty to run all services in one process.',
  ]);
});
