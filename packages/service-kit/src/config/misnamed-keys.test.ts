import { expect, test } from 'vitest';
import { misnamedKeys } from './misnamed-keys.ts';
import { vendorConfig } from './vendor.ts';

const settings = vendorConfig(['OPENAI', 'AWS_BEDROCK']);
const hintsAt = (...names: string[]) =>
  misnamedKeys(settings, Object.fromEntries(names.map((name) => [name, 'a secret'])));

test.for([
  ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
  ['OPENAI_KEY', 'OPENAI_API_KEY'],
  ['OPENAI_API_KEYS', 'OPENAI_API_KEY'],
  ['OPEN_AI_API_KEY', 'OPENAI_API_KEY'],
  ['openai_api_key', 'OPENAI_API_KEY'],
  ['AWSBEDROCK_API_KEY', 'AWS_BEDROCK_API_KEY'],
] as const)('%s is recognised as %s', ([name, meant]) => {
  expect(hintsAt(name)).toEqual([`${name} is not a setting: the key is read from ${meant}`]);
});

test('other variables are left alone, and so is a misnamed one beside the right one', () => {
  expect(
    hintsAt('OPENAI_API_KEY', 'OPENAI_APIKEY', 'OPENAI_BASE_URL', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_API_KEY', 'KEY'),
  ).toEqual([]);
});
