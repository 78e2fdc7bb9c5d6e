import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { GatewayError } from '@tallyport/contracts';
import { describe, expect, test, vi } from 'vitest';
import { gatheredDestination, terminalDestination } from './destination.ts';
import { createLog } from './log.ts';
import { readable } from './readable.ts';
import { throttledLog } from './throttle.ts';

function capturing(level = 'info', secrets: readonly string[] = []) {
  const lines: string[] = [];
  const log = createLog({ service: 'edge', level, destination: { write: (line) => void lines.push(line) }, secrets });
  /** The logged entries, without the fields that differ from run to run. */
  const entries = () =>
    lines.map((line) => {
      const { time: _time, pid: _pid, ...entry } = JSON.parse(line);
      return entry;
    });
  return { log, lines, entries };
}

test('an event is one JSON line with level, time, service, fields and message', () => {
  const { log, lines, entries } = capturing();
  log.info({ requestId: 'r1', status: 200 }, 'request');
  expect(entries()).toEqual([{ level: 'info', service: 'edge', requestId: 'r1', status: 200, message: 'request' }]);
  expect(lines[0]).toMatch(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z".*\}\n$/);
});

test('lines below the level are not written', () => {
  const { log, entries } = capturing('warn');
  log.info('quiet');
  log.warn('loud');
  expect(entries()).toEqual([{ level: 'warn', service: 'edge', message: 'loud' }]);
  expect([log.isLevelEnabled('info'), log.isLevelEnabled('error')]).toEqual([false, true]);
});

test('a child adds its fields to every line', () => {
  const { log, entries } = capturing();
  log.child({ requestId: 'r2' }).info({ model: 'm' }, 'planned');
  expect(entries()).toEqual([{ level: 'info', service: 'edge', requestId: 'r2', model: 'm', message: 'planned' }]);
});

test('headers and addresses are written without their secrets', () => {
  const { log, entries } = capturing();
  log.info({ headers: { authorization: 'Bearer abcdefgh' }, url: 'https://u:p@host/?key=abc' }, 'upstream');
  expect(entries()).toMatchObject([
    { headers: { authorization: '[redacted]' }, url: 'https://[redacted]@host/?key=[redacted]' },
  ]);
});

test('from warnings on, all text is redacted', () => {
  const { log, entries } = capturing('info', ['my-own-password']);
  const fields = { detail: 'used my-own-password', count: 3 };
  log.warn(fields, 'vendor said: sk-1234567890 is wrong');
  expect(entries()).toMatchObject([
    { detail: 'used [redacted]', count: 3, message: 'vendor said: sk-[redacted] is wrong' },
  ]);
  expect(fields.detail).toBe('used my-own-password');
});

describe('an error is written', () => {
  test('with code, fault domain, detail and the chain of its causes', () => {
    const { log, entries } = capturing();
    const network = Object.assign(new Error('read ECONNRESET from http://u:p@vendor'), { code: 'ECONNRESET' });
    network.stack = 'stack';
    const error = new GatewayError('upstream_error', 'The provider failed.', {
      cause: new GatewayError('stream_truncated', 'Cut.', { cause: network }),
      detail: 'key sk-abcdefgh was used',
    });
    log.error({ requestId: 'r', error }, 'request failed');
    expect(entries()).toEqual([
      {
        level: 'error',
        service: 'edge',
        requestId: 'r',
        message: 'request failed',
        error: {
          name: 'GatewayError',
          message: 'The provider failed.',
          code: 'upstream_error',
          status: 502,
          domain: 'provider',
          detail: 'key sk-[redacted] was used',
          cause: {
            name: 'GatewayError',
            message: 'Cut.',
            code: 'stream_truncated',
            status: 502,
            domain: 'provider',
            cause: {
              name: 'Error',
              message: 'read ECONNRESET from http://[redacted]@vendor',
              code: 'ECONNRESET',
              stack: 'stack',
            },
          },
        },
      },
    ]);
  });

  test('with its stack when the fault is ours', () => {
    const { log, entries } = capturing();
    log.error({ error: new GatewayError('internal_error', 'Ours.') }, 'failed');
    expect(entries()[0].error.stack).toContain('log.test.ts');
  });

  test('to a bounded depth, even when it is its own cause', () => {
    const { log, entries } = capturing();
    const error = new Error('round');
    error.cause = error;
    log.error({ error }, 'failed');
    expect(JSON.stringify(entries()[0]).match(/"message":"round"/g)).toHaveLength(5);
  });

  test('when the thrown value is not an Error', () => {
    const { log, entries } = capturing();
    for (const thrown of ['text', { a: 1 }, undefined, 1n]) log.error({ error: thrown }, 'failed');
    expect(entries().map(({ error }) => error?.message)).toEqual([
      'text',
      '{"a":1}',
      undefined,
      'a value that cannot be shown',
    ]);
  });
});

test('many events of one kind are one line, and the next line has the number of suppressed ones', () => {
  const { log, entries } = capturing();
  let now = 0;
  const warn = throttledLog(log, { everyMs: 1000, now: () => now });
  for (const at of [0, 1, 999, 1000]) {
    now = at;
    warn('redis', { at }, 'redis is away');
  }
  warn('nats', { at: 0 }, 'another kind');
  expect(entries().map(({ at, suppressed, message }) => ({ at, suppressed, message }))).toEqual([
    { at: 0, suppressed: undefined, message: 'redis is away' },
    { at: 1000, suppressed: 2, message: 'redis is away' },
    { at: 0, suppressed: undefined, message: 'another kind' },
  ]);
});

test('kinds beyond the limit share a line', () => {
  const { log, entries } = capturing();
  const warn = throttledLog(log, { now: () => 0 });
  for (let kind = 0; kind < 500; kind += 1) warn(`kind ${kind}`, {}, 'storm');
  expect(entries()).toHaveLength(101);
});

test('lines gathered while others are being written are written without a further line', async () => {
  const directory = mkdtempSync(`${tmpdir()}/tallyport-log-`);
  const file = `${directory}/log`;
  const destination = gatheredDestination(openSync(file, 'w'));
  try {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    destination.write('one\n');
    vi.runAllTimers();
    // The first write cannot have ended, because nothing was awaited.
    destination.write('two\n');
    vi.runAllTimers();
    vi.useRealTimers();
    await expect.poll(() => readFileSync(file, 'utf8'), { interval: 5 }).toBe('one\ntwo\n');
  } finally {
    vi.useRealTimers();
    await destination.close();
    rmSync(directory, { recursive: true });
  }
});

test('gathered lines are written after a moment, at once by flushNow, and completely by close', async () => {
  const directory = mkdtempSync(`${tmpdir()}/tallyport-log-`);
  const file = `${directory}/log`;
  try {
    const destination = gatheredDestination(openSync(file, 'w'));
    destination.write('one\n');
    expect(readFileSync(file, 'utf8')).toBe('');
    await expect.poll(() => readFileSync(file, 'utf8'), { interval: 5 }).toBe('one\n');
    destination.write('two\n');
    destination.flushNow();
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
    for (let count = 0; count < 5000; count += 1) destination.write(`${count}\n`);
    await destination.close();
    destination.write('too late\n');
    destination.flushNow();
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5003);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

describe('for a person at a terminal', () => {
  const line = { level: 'info', time: '2026-01-02T03:04:05.678Z', service: 'edge', pid: 1 };
  test('a request is one short line', () => {
    const text = JSON.stringify({ ...line, route: '/v1/models', status: 200, message: 'request' });
    expect(readable(text)).toBe('03:04:05 info  edge        request route=/v1/models status=200\n');
  });
  test('an error comes with its stack and its causes', () => {
    const error = { message: 'm', stack: 'Error: m\n    at x', cause: { message: 'because', detail: 'of this' } };
    const text = JSON.stringify({ ...line, level: 'error', error, message: 'failed' });
    expect(readable(text)).toBe(
      '03:04:05 \u001B[31merror\u001B[0m edge        failed\n  Error: m\n      at x\n  because:\n  because (of this)\n',
    );
  });
  test('an error of the terminal is ignored', () => {
    const terminal = new PassThrough();
    const destination = terminalDestination(terminal);
    terminal.emit('error', new Error('EIO'));
    destination.write(JSON.stringify({ ...line, message: 'still here' }));
    expect(String(terminal.read())).toContain('still here');
  });
});
