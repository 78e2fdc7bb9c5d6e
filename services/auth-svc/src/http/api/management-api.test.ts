import { type OpenTestDatabase, testDatabases } from '@switchyard/database/testing';
import { describe } from 'vitest';
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

describe.each(['postgres', 'embedded'] as const)('the management API on the %s database', (name) => {
  const open = openOn(testDatabases[name]);
  describeAdminKeys(open);
  describeAnalytics(open);
  describeKeyBounds(open);
  describeKeys(open);
  describeManage(open);
  describePasswordLinks(open);
  describePeople(open);
  describeProjectUsage(open);
  describeProjects(open);
  describeProviderHistory(open);
  describeRequests(open);
  describeSessions(open);
  describeSharedEmails(open);
  describeUsage(open);
});

describe('the management API', () => {
  describeBadRequests(openOn(testDatabases.postgres));
});
