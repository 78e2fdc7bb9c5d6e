import type { ProjectOverview } from '@tallyport/management';
import { html, render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { projectPage, projectsPage } from './view.ts';

const project: ProjectOverview = {
  id: 'project_1',
  name: 'search',
  createdAt: '2026-11-20T10:00:00.000Z',
  budget: { amount: '20', period: 'month' },
  keys: 3,
  members: 1,
  spent: '5',
  left: '15',
  resetsAt: '2026-12-01T00:00:00.000Z',
};
const base = '/dashboard/default';
const costs = { month: new Map([['project_1', '4']]), today: new Map([['project_1', '1.5']]) };
const member = { userId: 'user_1', email: 'ada@example.com', role: 'admin', addedAt: project.createdAt } as const;
const pageOf = (managesMembers: boolean) =>
  render(projectPage({ base, project, members: [member], usage: html``, managesMembers, form: false }));

test('a project is listed with its spending against the budget', () => {
  const page = render(projectsPage({ base, projects: [project], costs, isAdmin: true }));
  expect(page).toContain('href="/dashboard/default/projects/project_1"');
  expect(page).toMatch(/\$20 per month \(25 %\)/);
  expect(page).toContain('href="/dashboard/default/analytics?period=month&amp;project=project_1">$4.00</a>');
  expect(page).toMatch(/requests\?from=[\d-]+T00:00Z&amp;project=project_1">\$1.50<\/a>/);
  expect(page).toContain('Create a project');
});

test('members see no button to create one, and read whom to ask', () => {
  const page = render(projectsPage({ base, projects: [], costs: undefined, isAdmin: false }));
  expect(page).not.toContain('Create a project');
  expect(page).toContain('You belong to no project. Ask an admin of the account to add you.');
});

test('the page of a project leads to its keys', () => {
  expect(pageOf(false)).toContain('href="/dashboard/default/keys?project=project_1"');
});

test('only those who manage members can add and remove them', () => {
  expect([pageOf(true).includes('Remove ada@example.com'), pageOf(true).includes('Add a member')]).toEqual([
    true,
    true,
  ]);
  expect([pageOf(false).includes('Remove ada'), pageOf(false).includes('Add a member')]).toEqual([false, false]);
});
