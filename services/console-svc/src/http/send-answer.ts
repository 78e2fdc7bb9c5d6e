import { type GatewayError, statusPageHeader, toGatewayError } from '@tallyport/contracts';
import {
  beginPage,
  endPage,
  errorMessage,
  type Html,
  html,
  messageCard,
  type PageFrame,
  requestingScripts,
  type ScriptName,
  sendPage,
  type SendPage,
  sendRedirect,
} from '@tallyport/pages';
import type { Response } from 'express';
import { dashboardFrame } from '../screen/frame.ts';
import { pageMessage } from '../screen/page-message.ts';
import { noticeCookie, noticeIn, shownNoticeCookie } from '../screen/notices.ts';
import { type DashboardRequest, type DashboardResponse, type DashboardRoute, secretScripts } from '../screen/route.ts';
import { sections, sectionsFor } from '../screen/sections.ts';
import { themeOf } from '../theme/cookie.ts';

export const dashboardHome = '/dashboard';

export type PageFailed = (response: Response, error: GatewayError) => void;

interface PagePlace {
  dashboardRequest: DashboardRequest;
  route: DashboardRoute;
  /** How many alerts are firing, as far as it is known. */
  firing(): number;
  /** Reports the failure of a page whose frame has been sent. */
  onFailure: PageFailed;
}

export async function sendAnswer(response: Response, answer: DashboardResponse, place: PagePlace): Promise<void> {
  if ('content' in answer) return sendContent(response, answer, place);
  if ('data' in answer) return sendData(response, answer.data);
  if ('home' in answer) return sendRedirect(response, dashboardHome);
  if ('to' in answer) {
    if (answer.notice !== undefined) response.append('set-cookie', noticeCookie(answer.notice));
    if (answer.cookie !== undefined) response.append('set-cookie', answer.cookie);
    return sendRedirect(response, place.dashboardRequest.base + answer.to);
  }
  const { before, after } = frameOf(response, answer, place);
  sendPage(response, html`${before}${answer.body}${after}`, {
    ...optionsOf(answer, place),
    status: answer.status ?? 200,
    hasInlineImages: answer.hasInlineImages ?? false,
  });
}

/** Sends the frame of a page at once, and its content when it is there. A failure is shown in place of the content. */
async function sendContent(
  response: Response,
  answer: Extract<DashboardResponse, { content: unknown }>,
  place: PagePlace,
): Promise<void> {
  const { before, after } = frameOf(response, answer, place);
  const options = optionsOf(answer, place);
  beginPage(response, before, options);
  const content = await answer.content().catch((thrown: unknown) => {
    const error = toGatewayError(thrown);
    place.onFailure(response, error);
    return failure(error, response.req.originalUrl);
  });
  endPage(response, html`${content}${after}`, options);
}

const failure = (error: GatewayError, href: string): Html =>
  messageCard({
    ...errorMessage({ status: error.status, message: pageMessage(error) }),
    link: { href, text: 'Open this page again' },
  });

type Page = Pick<Extract<DashboardResponse, { title: string }>, 'title' | 'scripts'>;

const optionsOf = (page: Page, { dashboardRequest: { viewer } }: PagePlace): SendPage => ({
  viewer,
  hasScripts: true,
  hasRequests: scriptsOf(page).some((name) => requestingScripts.has(name)),
});

/** The frame of the page. It shows the notice of the last action, once. */
function frameOf(response: Response, page: Page, { dashboardRequest, route, firing }: PagePlace): PageFrame {
  const { base, signedIn, account, caller, viewer } = dashboardRequest;
  const notice = noticeIn(response.req.headers.cookie);
  if (notice !== undefined) response.append('set-cookie', shownNoticeCookie);
  const own = signedIn.accounts.map(({ accountId: id, accountName: name }) => ({ id, name }));
  return dashboardFrame({
    title: page.title,
    scripts: scriptsOf(page),
    section: route.section,
    notice,
    email: signedIn.email,
    csrfToken: signedIn.csrfToken,
    timeZone: viewer.timeZone,
    hasStatusPage: response.req.headers[statusPageHeader] === 'yes',
    theme: themeOf(response.req.headers.cookie),
    // The answer to a form has no address of its own.
    page: response.req.method === 'GET' ? response.req.originalUrl : `${base}/${route.section ?? 'overview'}`,
    account: { id: account.id, name: account.name, role: caller.role, suspended: account.suspendedAt !== undefined },
    accounts: own.some(({ id }) => id === account.id) ? own : [account, ...own],
    firing: firing(),
    sections: sectionsFor(caller).map((name) => ({ name, title: sections[name].title, href: `${base}/${name}` })),
  });
}

/** Every page has the palette, except those that show a secret. */
const scriptsOf = ({ scripts = [] }: { scripts?: readonly ScriptName[] }): readonly ScriptName[] =>
  scripts === secretScripts ? scripts : ['palette.js', ...scripts];

function sendData(response: Response, data: unknown): void {
  response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }).json(data);
}
