import type { AlertMessage } from './message.ts';

/** The title of a message. */
export const messageTitles = { fired: 'Alert', resolved: 'Resolved', test: 'Test' } as const;

/** Longer texts would be refused: Slack takes 150 characters in a header and 3,000 in a section, Teams 28 KB in all. */
const mostTitle = 140;
const mostText = 1_000;

const bounded = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

const titleOf = ({ kind, alert }: AlertMessage): string => bounded(`${messageTitles[kind]}: ${alert.name}`, mostTitle);

const originOf = ({ account, at }: AlertMessage): string =>
  bounded(`Account ${account.name}, ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`, mostText);

function linksOf({ links }: AlertMessage): [text: string, url: string][] {
  const requests: [string, string][] = links.requests === undefined ? [] : [['Requests', links.requests]];
  return [['Open in the console', links.console], ...requests];
}

/**
 * The body of an incoming webhook of Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks.
 * Names are plain text, so that they format nothing and notify no one.
 */
export function slackMessage(message: AlertMessage): object {
  const summary = bounded(message.summary, mostText);
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  return {
    text: escaped(summary),
    blocks: [
      { type: 'header', text: plain(titleOf(message)) },
      { type: 'section', text: plain(summary) },
      { type: 'context', elements: [plain(originOf(message))] },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: linksOf(message)
            .map(([text, url]) => `<${escaped(url)}|${text}>`)
            .join('  '),
        },
      },
    ],
  };
}

/** The three characters that control the markup of Slack. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * The body of a webhook of a workflow of Microsoft Teams, a message with an Adaptive Card:
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using. Text runs have no
 * markup, so that names are no links.
 */
export function teamsMessage(message: AlertMessage): object {
  const block = (text: string, look: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...look }],
  });
  return {
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
            block(titleOf(message), { weight: 'bolder', size: 'medium' }),
            block(bounded(message.summary, mostText)),
            block(originOf(message), { isSubtle: true }),
          ],
          actions: linksOf(message).map(([title, url]) => ({ type: 'Action.OpenUrl', title, url })),
        },
      },
    ],
  };
}
