import { expect, test } from 'vitest';
import { downloadName } from './download-name.ts';

test.each<[readonly (string | undefined)[], string]>([
  [['usage', undefined, '2026-11-01'], 'usage-2026-11-01.csv'],
  [['requests', 'failed_over', 'openai/gpt-4.1'], 'requests-failed-over-openai-gpt-4.1.csv'],
  [['requests', '"\r\nset-cookie: a=b'], 'requests-set-cookie-a-b.csv'],
  [['requests', '../../etc/passwd', '…'], 'requests-etc-passwd.csv'],
  [['requests', 'm'.repeat(500)], `requests-${'m'.repeat(111)}.csv`],
])('the words %j name the file %s', (words, name) => {
  expect(downloadName(words)).toBe(name);
});
