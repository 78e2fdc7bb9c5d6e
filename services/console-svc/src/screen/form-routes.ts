import { GatewayError } from '@tallyport/contracts';
import { confirmation, type FormPart, type FormState, type HtmlContent } from '@tallyport/pages';
import { pageMessage } from './page-message.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from './route.ts';

interface FormRoute extends Pick<DashboardRoute, 'path' | 'section' | 'access' | 'maxFormBytes'> {
  /** Shows the form, empty or with the posted values and their problem. */
  show(request: DashboardRequest, state: FormState): Promise<DashboardResponse>;
  submit(request: DashboardRequest): Promise<DashboardResponse>;
}

/** A page with a form. */
export const formRoutes = (form: FormRoute): DashboardRoute[] => {
  const { show, submit: _submit, ...place } = form;
  return [{ ...place, method: 'get', answer: (request) => show(request, { values: {} }) }, submitRoute(form)];
};

/** What a form is sent to. Errors that the user can correct are shown in the form, which keeps the posted values. */
export const submitRoute = ({ show, submit, ...place }: FormRoute): DashboardRoute => ({
  ...place,
  method: 'post',
  async answer(request) {
    const { isFromEarlierSession, fields: values } = request;
    if (isFromEarlierSession) return withStatus(403, await show(request, { values, problem: signedInAgain }));
    try {
      return await submit(request);
    } catch (error) {
      if (!(error instanceof GatewayError) || !isCorrectable(error)) throw error;
      return withStatus(error.status, await show(request, { values, problem: problemOf(error) }));
    }
  },
});

const signedInAgain = { message: 'You signed in again meanwhile. Check the fields, and send the form once more.' };

const withStatus = (status: number, shown: DashboardResponse): DashboardResponse =>
  'body' in shown ? { ...shown, status } : shown;

export interface ConfirmationPrompt {
  title: string;
  text: HtmlContent;
  button: string;
  /** The page that "Cancel" leads to, below the account's pages. */
  back: string;
  groups?: FormPart['groups'];
}

interface ConfirmationRoute extends Pick<DashboardRoute, 'path' | 'section' | 'access'> {
  ask(request: DashboardRequest): Promise<ConfirmationPrompt>;
  act(request: DashboardRequest): Promise<DashboardResponse>;
}

/** A confirmation page, shown before a destructive action. */
export const confirmationRoutes = ({ ask, act, ...route }: ConfirmationRoute): DashboardRoute[] =>
  formRoutes({
    ...route,
    submit: act,
    async show(request, state) {
      const { back, ...question } = await ask(request);
      const { base, signedIn, place } = request;
      const form = { action: place, csrfToken: signedIn.csrfToken, state, back: base + back };
      return { title: question.title, body: confirmation({ ...question, ...form }) };
    },
  });

const isCorrectable = ({ status, code }: GatewayError): boolean =>
  status < 500 && code !== 'not_found' && code !== 'invalid_api_key';

/**
 * Turns `allowedAddresses[2] must …; name must …` into a message about the third line of one field. Other problems are
 * shown after it is corrected.
 */
function problemOf(error: GatewayError): { message: string; field?: string } {
  const { param } = error;
  const message = pageMessage(error);
  if (param === undefined) return { message };
  const [, field = param, line] = /^([^[]+)(?:\[(\d+)\])?/.exec(param) ?? [];
  const own = message.startsWith(`${param} `) ? message.slice(param.length + 1) : message.replace(`\`${param}\`: `, '');
  const [first = own] = own.split('; ');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
  return { field, message: line === undefined ? sentence : `Line ${Number(line) + 1}: ${sentence}` };
}
