import { expect, test } from 'vitest';
import { maskOwners } from './mask-owners.ts';
import { patient } from '../../../../tests/support/patience.ts';

const uuid = '0f3c1a2b-4d5e-6f70-8192-a3b4c5d6e7f8';

test.each([
  [
    'Rate limit reached for gpt-5 in organization org-AbCdEfGhIjKlMnOpQrStUvWx on tokens per min (TPM)',
    'Rate limit reached for gpt-5 in organization [id] on tokens per min (TPM)',
  ],
  ['in organization `org_01jxyz4abc` service tier `on_demand`', 'in organization `[id]` service tier `on_demand`'],
  ['Project `proj_9aB8cD7eF6` does not have access to model', 'Project `[id]` does not have access to model'],
  [`your organization's rate limit (organization: ${uuid})`, "your organization's rate limit (organization: [id])"],
  [`Your team ${uuid} has used all available credits`, 'Your team [id] has used all available credits'],
  [`workspace id: ${uuid}`, 'workspace id: [id]'],
  ["for consumer 'project_number:123456789012'", "for consumer 'project_number:[id]'"],
  ['Permission denied on projects/my-project-1/locations/us', 'Permission denied on projects/[id]/locations/us'],
  [
    'not been used in project 123456789 before: https://console.test/overview?project=123456789',
    'not been used in project [id] before: https://console.test/overview?project=[id]',
  ],
  [
    'User: arn:aws:sts::123456789012:assumed-role/Gateway/i-0a1b is not authorized on arn:aws:bedrock:us-east-1:123456789012:inference-profile/x',
    'User: [id] is not authorized on arn:aws:bedrock:us-east-1:[id]:inference-profile/x',
  ],
  ['Account 123456789012 is blocked', 'Account [id] is blocked'],
  [`/subscriptions/${uuid}/resourceGroups/rg/providers/x`, '/subscriptions/[id]'],
  ['https://our-resource.openai.azure.com/openai', 'https://[id].openai.azure.com/openai'],
  // Not the operator's.
  [`request id: ${uuid}`, `request id: ${uuid}`],
  ['an org-specific rule, user_settings and project files', 'an org-specific rule, user_settings and project files'],
  ['The project has 12 members', 'The project has 12 members'],
])('%s', (text, masked) => {
  expect(maskOwners(text)).toBe(masked);
});

test.each(['org-', 'a'.repeat(9), 'projects/', '-', '1', 'arn:aws:'])(
  'takes no long time for %j many times',
  (piece) => {
    const startedAt = performance.now();
    maskOwners(piece.repeat(4_000 / piece.length));
    expect(performance.now() - startedAt).toBeLessThan(patient(1_000));
  },
);
