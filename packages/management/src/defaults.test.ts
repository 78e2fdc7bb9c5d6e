import { expect, test } from 'vitest';
import { managementOperations } from './operations.ts';

test.each([
  ['removeMember', { userId: 'ada' }, { userId: 'ada', keepKeys: false }],
  ['removeProjectMember', { id: 'search', userId: 'ada' }, { id: 'search', userId: 'ada', keepKeys: false }],
  ['rotateKey', { id: 'key' }, { id: 'key', overlapMinutes: 60 }],
  ['signOut', {}, { everywhere: false }],
  [
    'changePassword',
    { current: 'an old password', new: 'correct horse battery' },
    { current: 'an old password', new: 'correct horse battery', disconnectApplications: false },
  ],
] as const)('%s takes the careful way when its input does not choose', (name, input, expected) => {
  expect(managementOperations[name].input.parse(input)).toEqual(expected);
});
