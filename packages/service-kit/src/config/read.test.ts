import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { afterAll, describe, expect, test } from 'vitest';
import { commonConfig, processConfig, publicConfig, stateConfig } from './common.ts';
import type { ConfigSources } from './config-sources.ts';
import { ConfigError, readConfig } from './read.ts';
import { defineConfig } from './setting.ts';
import type { Settings } from './setting.ts';
import { flag, list, wholeNumber } from './shapes.ts';

const small = defineConfig({
  COLOUR: { schema: z.string(), default: 'blue', description: 'The colour.' },
  TOKEN: {
    schema: z.string().min(5, 'must have at least 5 characters').optional(),
    secret: true,
    description: 'A token.',
  },
  PARTS: { schema: list.optional(), description: 'Parts.' },
});

function problems(settings: Settings, sources: ConfigSources): readonly string[] {
  try {
    readConfig(settings, sources);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('unset keys have their defaults and the result is frozen', () => {
  const config = readConfig(small, { environment: {} });
  expect(config).toEqual({ COLOUR: 'blue', TOKEN: undefined, PARTS: undefined });
  expect(Object.isFrozen(config)).toBe(true);
});

test('lists are frozen too', () => {
  const { PARTS } = readConfig(small, { environment: { PARTS: ' a, b,,a ' } });
  expect(PARTS).toEqual(['a', 'b']);
  expect(Object.isFrozen(PARTS)).toBe(true);
});

describe('the environment and the file', () => {
  test('use the environment first', () => {
    expect(readConfig(small, { environment: { COLOUR: 'red' }, file: { COLOUR: 'green' } }).COLOUR).toBe('red');
  });
  test('use the file where the environment has no value', () => {
    expect(readConfig(small, { environment: {}, file: { COLOUR: 'green' } }).COLOUR).toBe('green');
  });
  test('let an empty value in the environment unset the value of the file', () => {
    expect(readConfig(small, { environment: { COLOUR: '' }, file: { COLOUR: 'green' } }).COLOUR).toBe('blue');
  });
  test('ignore surrounding white space, which mounted secrets often have', () => {
    expect(readConfig(small, { environment: { TOKEN: 'abcdef\n', COLOUR: '  ' } })).toMatchObject({
      TOKEN: 'abcdef',
      COLOUR: 'blue',
    });
  });
});

test('all problems are reported at once, each with its key', () => {
  const settings = { ...publicConfig, ...processConfig, ...stateConfig };
  const environment = {
    PORT: '65536',
    BASE_URL: 'ftp://gateway',
    LOG_LEVEL: 'loud',
    REDIS_URL: 'http://user:secret@redis',
    NATS_URL: 'nats://one, two',
  };
  expect(problems(settings, { environment })).toEqual([
    'PORT: must be a whole number from 0 to 65535, but is "65536".',
    'BASE_URL: must be an address that starts with http:// or https://, but is "ftp://gateway".',
    'LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent, but is "loud".',
    'NATS_URL: must be an address that starts with nats:// or tls://.',
    'REDIS_URL: must be an address that starts with redis:// or rediss://, Sentinels and their primary: redis+sentinel://host:26379,host:26379/primary, or nodes of a cluster: redis+cluster://host:6379,host:6379 without a database number.',
  ]);
});

test.each([
  'rediss://:secret@redis:6380/2',
  'redis+sentinel://:s@cret@one:26379,two:26379/primary/2',
  'redis+cluster://:s@cret@one:6379,two',
  'rediss+cluster://[::1]:7000',
])('%j is an address of Redis', (REDIS_URL) => {
  expect(readConfig(stateConfig, { environment: { REDIS_URL } }).REDIS_URL).toBe(REDIS_URL);
});

test('a cluster of Redis has no database number', () => {
  const environment = { REDIS_URL: 'redis+cluster://:secret@one:6379,two:6379/2' };
  expect(problems(stateConfig, { environment })).toEqual([expect.stringMatching(/without a database number\.$/)]);
});

test('a missing required key is reported with its description', () => {
  const needed = defineConfig({ HOME_TOWN: { schema: z.string(), description: 'Where you live.' } });
  expect(problems(needed, { environment: {} })).toEqual(['HOME_TOWN: is required. Where you live.']);
});

test('a secret is not shown when it is wrong', () => {
  expect(problems(small, { environment: { TOKEN: 'abcd' } })).toEqual(['TOKEN: must have at least 5 characters.']);
});

describe('secrets in files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const file = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };

  test('are read from a path in the environment or in the file', () => {
    const TOKEN_FILE = file('good', ' abcdef\n');
    const expected = { COLOUR: 'blue', TOKEN: 'abcdef', PARTS: undefined };
    expect(readConfig(small, { environment: { TOKEN_FILE } })).toEqual(expected);
    expect(readConfig(small, { environment: {}, file: { TOKEN_FILE }, known: [] })).toEqual(expected);
  });
  test('are not shown when they are wrong', () => {
    expect(problems(small, { environment: { TOKEN_FILE: file('short', 'abcd') } })).toEqual([
      'TOKEN: must have at least 5 characters.',
    ]);
  });
  test('are refused when they are ambiguous, empty, too large or unreadable', () => {
    const good = file('both', 'abcdef');
    const empty = file('empty', '\n');
    const large = file('large', 'x'.repeat(65_537));
    const problem = (environment: Record<string, string>) => problems(small, { environment });
    expect(problem({ TOKEN_FILE: file('edge', 'x'.repeat(65_536)) })).toEqual([]);
    expect(problem({ TOKEN_FILE: good, TOKEN: 'abcdef' })).toEqual(['TOKEN_FILE: set it or TOKEN, not both.']);
    expect(problem({ TOKEN_FILE: empty })).toEqual([`TOKEN_FILE: ${empty} is empty.`]);
    expect(problem({ TOKEN_FILE: large })).toEqual([`TOKEN_FILE: ${large} is larger than 65536 bytes.`]);
    expect(problem({ TOKEN_FILE: directory })).toEqual([
      `TOKEN_FILE: must be the path of a file that can be read, but is "${directory}".`,
    ]);
  });
  test('are supported for secrets only', () => {
    expect(readConfig(small, { environment: { COLOUR_FILE: '/nowhere' } }).COLOUR).toBe('blue');
  });
});

describe('values that contradict each other', () => {
  const settings = { ...publicConfig, ...processConfig };
  test('stop the start', () => {
    expect(problems(settings, { environment: { PORT: '4000', ADMIN_PORT: '4000' } })).toEqual([
      'ADMIN_PORT: must differ from PORT, because they are two servers.',
    ]);
  });
  test('are accepted when the system chooses the ports', () => {
    expect(problems(settings, { environment: { PORT: '0', ADMIN_PORT: '0' } })).toEqual([]);
  });
  test('are accepted in a process without a public port', () => {
    expect(problems(processConfig, { environment: { PORT: '4000', ADMIN_PORT: '4000' } })).toEqual([]);
  });
});

describe('unknown names', () => {
  const known = ['COLOUR', 'TOKEN', 'PARTS', 'CONSOLE_PORT'];
  test('in the file stop the start and suggest the closest name', () => {
    const file = { COLUOR: 'red', SOMETHING_ELSE_ENTIRELY: '1' };
    expect(problems(small, { environment: {}, file, known })).toEqual([
      'COLUOR in .env: unknown setting; did you mean COLOUR?',
      'SOMETHING_ELSE_ENTIRELY in .env: unknown setting.',
    ]);
  });
  test('of other services and of tools that share the file are accepted', () => {
    const file = { CONSOLE_PORT: '4004', COMPOSE_PROJECT_NAME: 'x', TEST_REDIS_URL: 'redis://x' };
    expect(problems(small, { environment: {}, file, known })).toEqual([]);
  });
  test('of providers that an operator adds are accepted, unless they are close to a known name', () => {
    const file = { OWN_API_KEY: 'x', OWN_BASE_URL: 'http://x', COLUOR_API_KEY: 'x' };
    expect(problems(small, { environment: {}, file, known: [...known, 'COLOUR_API_KEY'] })).toEqual([
      'COLUOR_API_KEY in .env: unknown setting; did you mean COLOUR_API_KEY?',
    ]);
  });
  test('in the environment are ignored, unless they have our prefix', () => {
    const environment = { COLUOR: 'red', TALLYPORT_COLOR: 'red' };
    expect(problems(small, { environment, known })).toEqual(['TALLYPORT_COLOR: unknown setting; did you mean COLOUR?']);
  });
  test('of earlier versions stop the start and name what to do, unless they are empty', () => {
    const environment = { GUARD_WEBHOOKS_ALLOW_LOCAL: 'true', ALERTS_ALLOW_LOCAL: '' };
    const file = { MCP_SERVERS_ALLOW_LOCAL: 'false' };
    expect(problems(small, { environment, file, known })).toEqual([
      'MCP_SERVERS_ALLOW_LOCAL: is no longer a setting; use ALLOW_LOCAL_TARGETS.',
      'GUARD_WEBHOOKS_ALLOW_LOCAL: is no longer a setting; use ALLOW_LOCAL_TARGETS.',
    ]);
  });
  test('of earlier versions are only those of the list, and blank ones are not set', () => {
    const environment = {
      constructor: 'x',
      toString: 'x',
      GUARD_WEBHOOKS_ALLOW_LOCAL: ' ',
      ALERTS_ALLOW_LOCAL: undefined,
    };
    const file = { ALERTS_ALLOW_LOCAL: 'true' };
    expect(problems(small, { environment, file, known })).toEqual([
      'ALERTS_ALLOW_LOCAL: is no longer a setting; use ALLOW_LOCAL_TARGETS.',
    ]);
  });
  test('that clients read are ignored', () => {
    const environment = { TALLYPORT_API_KEY: 'sk-tp-x', TALLYPORT_KEY: 'sk-tp-x', TALLYPORT_URL: 'http://x' };
    expect(problems(small, { environment, known })).toEqual([]);
  });
  test('that Kubernetes adds for services are ignored', () => {
    const environment = {
      TALLYPORT_SERVICE_HOST: '10.0.0.1',
      TALLYPORT_SERVICE_PORT_HTTP: '4000',
      TALLYPORT_EDGE_PORT: 'tcp://10.0.0.1:4000',
      TALLYPORT_EDGE_PORT_4000_TCP_ADDR: '10.0.0.1',
    };
    expect(problems(small, { environment, known })).toEqual([]);
  });
});

describe('limits at their edges', () => {
  const settings = defineConfig({ COUNT: { schema: wholeNumber(2, 4), description: 'How many.' } });
  test.each(['2', '4'])('%s is allowed', (COUNT) => {
    expect(readConfig(settings, { environment: { COUNT } })).toEqual({ COUNT: Number(COUNT) });
  });
  test.each(['1', '5', '-2', '2.5', '1e1', '0x3', 'three'])('%s is not', (COUNT) => {
    expect(problems(settings, { environment: { COUNT } })).toEqual([
      `COUNT: must be a whole number from 2 to 4, but is "${COUNT}".`,
    ]);
  });
  test.each([
    ['x'.repeat(15), 1],
    ['x'.repeat(16), 0],
  ])('a bootstrap key of %s', (BOOTSTRAP_API_KEY, count) => {
    expect(problems(commonConfig, { environment: { BOOTSTRAP_API_KEY } })).toHaveLength(count);
  });
});

test('flags accept true, 1, false and 0', () => {
  const settings = defineConfig({ ON: { schema: flag, description: 'On.' } });
  const read = (ON: string) => readConfig(settings, { environment: { ON } }).ON;
  expect(['true', '1', 'false', '0'].map(read)).toEqual([true, true, false, false]);
  expect(problems(settings, { environment: { ON: 'yes' } })).toEqual(['ON: must be true or false, but is "yes".']);
});

test('addresses lose their trailing slash, and lists of them keep their order', () => {
  const environment = { BASE_URL: 'https://example.com/gateway//', NATS_URL: 'nats://b:4222, nats://a:4222' };
  expect(readConfig(commonConfig, { environment })).toMatchObject({
    BASE_URL: 'https://example.com/gateway',
    NATS_URL: 'nats://b:4222,nats://a:4222',
  });
});

test('an invalid setting name is refused where it is defined', () => {
  expect(() => defineConfig({ 'not-possible': { schema: z.string(), description: '' } })).toThrow('not-possible');
});
