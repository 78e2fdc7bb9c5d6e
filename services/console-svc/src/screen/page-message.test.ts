import { expect, test } from 'vitest';
import { pageMessage } from './page-message.ts';

test.each([
  [
    'This key does not exist. List your keys: GET /api/v1/keys',
    'This key does not exist. The page API Keys lists all.',
  ],
  [
    'This webhook does not exist. List all webhooks: GET /api/v1/guard-webhooks',
    'This webhook does not exist. The page Guardrails lists all.',
  ],
  [
    'This project does not exist, or you do not belong to it. List yours: GET /api/v1/projects',
    'This project does not exist, or you do not belong to it. The page Projects lists all.',
  ],
  [
    'This alert does not exist. List all alerts: GET /api/v1/alerts',
    'This alert does not exist. The page Budgets and Alerts lists all.',
  ],
  ["There is no model 'x'. GET /v1/models lists all.", "There is no model 'x'. The page Models lists all."],
  [
    'This provider does not exist. The page Providers and GET /v1/providers list all.',
    'This provider does not exist. The page Providers lists all.',
  ],
  [
    'To change your own password, use POST /api/v1/password with the current one.',
    'To change your own password, follow your e-mail address at the top of a page, and enter it with the current one.',
  ],
  [
    "The account has no project 'trial', which should pay for the shadow. Name one of GET /api/v1/projects.",
    "The account has no project 'trial', which should pay for the shadow. The page Projects lists all.",
  ],
  ['This has no page. List them: GET /api/v1/constructor', 'This has no page. List them: GET /api/v1/constructor'],
  ['name must be a text.', 'name must be a text.'],
])('%s', (message, text) => expect(pageMessage({ message })).toBe(text));
