import { GatewayError } from '@switchyard/contracts';
import type { FormPart, FormState } from '../../pages/dashboard/form.ts';
import { confirmation } from '../../pages/dashboard/parts.ts';
import type { HtmlContent } from '../../pages/html.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from './dashboard-route.ts';

export interface FormRoute extends Pick<DashboardRoute, 'path' | 'section' | 'access'> {
  /** The page with the form: empty, or with what was sent and what was wrong with it. */
  show(request: DashboardRequest, state: FormState): Promise<DashboardResponse>;
  submit(request: DashboardRequest): Promise<DashboardResponse>;
}

/** A page with a form: what its sender can put right is said in the form, with what they wrote still there. */
export const formRoutes = ({ show, submit, ...place }: FormRoute): DashboardRoute[] => [
  { ...place, method: 'get', answer: (request) => show(request, { values: {} }) },
  {
    ...place,
    method: 'post',
    async answer(request) {
      try {
        return await submit(request);
      } catch (error) {
        if (!(error instanceof GatewayError) || !canBePutRight(error)) throw error;
        const shown = await show(request, { values: request.fields, problem: problemOf(error) });
        return 'body' in shown ? { ...shown, status: error.status } : shown;
      }
    },
  },
];

export interface ConfirmationQuestion {
  title: string;
  text: HtmlContent;
  button: string;
  /** Where one goes who thinks better of it, below the account's pages. */
  back: string;
  groups?: FormPart['groups'];
}

export interface ConfirmationRoute extends Pick<DashboardRoute, 'path' | 'section' | 'access'> {
  ask(request: DashboardRequest): Promise<ConfirmationQuestion>;
  act(request: DashboardRequest): Promise<DashboardResponse>;
}

/** What ends something is done after a page has asked whether it is meant. */
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

const canBePutRight = ({ status, code }: GatewayError): boolean =>
  status < 500 && code !== 'not_found' && code !== 'invalid_api_key';

/** `allowedAddresses[2] must be …; name must …` is about the third line of one field. The others are shown once it is corrected. */
function problemOf({ message, param }: GatewayError): { message: string; field?: string } {
  if (param === undefined) return { message };
  const [, field = param, line] = /^([^[]+)(?:\[(\d+)\])?/.exec(param) ?? [];
  const own = message.startsWith(`${param} `) ? message.slice(param.length + 1) : message.replace(`\`${param}\`: `, '');
  const [first = own] = own.split('; ');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
  return { field, message: line === undefined ? sentence : `Line ${Number(line) + 1}: ${sentence}` };
}
