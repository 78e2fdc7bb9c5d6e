import { type OpenTestDatabase, testDatabases } from '@tallyport/database/testing';
import { describe } from 'vitest';
import { partOf } from '../../../../../tests/support/scale.ts';
import { describeAdminKeys } from './testing/admin-keys.suite.ts';
import { describeAnalytics } from './testing/analytics.suite.ts';
import { describeBadRequests } from './testing/bad-requests.suite.ts';
import { describeKeyBounds } from './testing/key-bounds.suite.ts';
import { describeKeys } from './testing/keys.suite.ts';
import { describeManage } from './testing/manage.suite.ts';
import { describePasswordLinks } from './testing/password-links.suite.ts';
import { describePeople } from './testing/people.suite.ts';
import { describeProjectUsage } from './testing/project-usage.suite.ts';
import { describeProjects } from './testing/projects.suite.ts';
import { describeProviderHistory } from './testing/provider-history.suite.ts';
import { describeRequests } from './testing/requests.suite.ts';
import { describeSessions } from './testing/sessions.suite.ts';
import { describeSharedEmails } from './testing/shared-emails.suite.ts';
import { describeUsage } from './testing/usage.suite.ts';
import { openManagement } from './testing/open-management.ts';

const openOn = (openThere: () => Promise<OpenTestDatabase>) => async () => {
  const { database, remove } = await openThere();
  const management = await openManagement(database);
  const close = async () => {
    await management.close();
    await database.close();
    await remove();
  };
  return { ...management, close };
};

const suites = [
  describeAdminKeys,
  describeAnalytics,
  describeKeyBounds,
  describeKeys,
  describeManage,
  describePasswordLinks,
  describePeople,
  describeProjectUsage,
  describeProjects,
  describeProviderHistory,
  describeRequests,
  describeSessions,
  describeSharedEmails,
  describeUsage,
];

describe('the management API on the postgres database', () => {
  for (const suite of suites) suite(openOn(testDatabases.postgres));
});

describe('the management API on the embedded database', () => {
  for (const suite of partOf(suites, { one: 4 })) suite(openOn(testDatabases.embedded));
});

describe('the management API', () => {
  describeBadRequests(openOn(testDatabases.postgres));
});
