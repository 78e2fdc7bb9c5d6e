import { expect, test } from 'vitest';
import { slackMessage, teamsMessage } from './chat-messages.ts';
import type { AlertMessage } from './message.ts';

const message: AlertMessage = {
  id: 'alert_event_1',
  kind: 'fired',
  at: new Date('2026-11-23T11:00:30Z'),
  alert: { id: 'alert_1', name: '<!channel> & *co*', condition: {} },
  account: { id: 'acme', name: 'Acme' },
  subject: { id: 'key_1', name: '[a](https://b.example)' },
  value: 80,
  summary: 'The key <!channel> has cost $12.00 today & more.',
  links: {
    console: 'https://gateway.example/dashboard/acme/keys/key_1',
    requests: 'https://gateway.example/dashboard/acme/requests?key=key_1&error=any',
  },
};

// As in https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and /reference/block-kit/blocks.
test('Slack gets a text and blocks in which names control nothing', () => {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  expect(slackMessage(message)).toEqual({
    text: 'The key &lt;!channel&gt; has cost $12.00 today &amp; more.',
    blocks: [
      { type: 'header', text: plain('Alert: <!channel> & *co*') },
      { type: 'section', text: plain(message.summary) },
      { type: 'context', elements: [plain('Account Acme, 2026-11-23 11:00 UTC')] },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `<${message.links.console}|Open in the console>  <${message.links.requests?.replace('&', '&amp;')}|Requests>`,
        },
      },
    ],
  });
});

// As in https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using: a message
// with one attachment, an Adaptive Card; of its actions, Action.OpenUrl is supported.
test('Teams gets a message with an Adaptive Card, whose texts have no markup', () => {
  const run = (text: string, look: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...look }],
  });
  expect(teamsMessage({ ...message, kind: 'test', links: { console: message.links.console } })).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [
            run('Test: <!channel> & *co*', { weight: 'bolder', size: 'medium' }),
            run(message.summary),
            run('Account Acme, 2026-11-23 11:00 UTC', { isSubtle: true }),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open in the console', url: message.links.console }],
        },
      },
    ],
  });
});

test('texts stay below the limits of Slack and Teams', () => {
  const name = 'n'.repeat(5_000);
  const long = { ...message, alert: { ...message.alert, name }, account: { id: 'a', name }, summary: name };
  const { blocks } = slackMessage(long) as { blocks: { text?: { text: string } }[] };
  expect(blocks.map(({ text }) => text?.text.length ?? 0).slice(0, 2)).toEqual([140, 1_000]);
  expect(blocks[1]?.text?.text).toMatch(/n…$/);
  expect(JSON.stringify(teamsMessage(long)).length).toBeLessThan(28 * 1024);
});
