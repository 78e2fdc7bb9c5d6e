import { expect, test } from 'vitest';
import { lintExposition } from './exposition-lint.ts';

const exposed = (name: string, type: string) =>
  `# HELP ${name} What it is.\n# TYPE ${name} ${type}\n${name}{a="b"} 1\n`;

test.each([
  ['a good counter', exposed('gateway_calls_total', 'counter'), []],
  ['a good gauge', exposed('gateway_streams_active', 'gauge'), []],
  [
    'the series of a histogram',
    '# HELP a_seconds A.\n# TYPE a_seconds histogram\na_seconds_bucket{le="1"} 1\na_seconds_sum 1\na_seconds_count 1\n',
    [],
  ],
  ['a counter without _total', exposed('calls', 'counter'), ['calls is a counter and must end in _total']],
  ['a gauge with it', exposed('calls_total', 'gauge'), ['calls_total is no counter and must not end in _total']],
  ['no HELP', '# TYPE a gauge\na 1\n', ['a has no HELP']],
  ['no TYPE', '# HELP a A.\na 1\n', ['a has no TYPE']],
  ['milliseconds', exposed('wait_ms', 'gauge'), ['wait_ms must be in seconds, bytes or a ratio']],
  ['a time without unit', exposed('call_duration', 'gauge'), ['call_duration is a time and must end in _seconds']],
  ['a histogram without unit', exposed('sizes', 'histogram'), ['sizes names no unit']],
])('%s', (_name, exposition, complaints) => {
  expect(lintExposition(exposition)).toEqual(complaints);
});
