import { type FieldValues, formPart, type FormPart, type FormState, heading, type Html, html } from '@tallyport/pages';
import type { DashboardRequest } from './route.ts';

interface FormPage extends Pick<FormPart, 'groups' | 'button' | 'first' | 'beside'> {
  title: string;
  text?: string;
  /** The page that the link above the form and "Cancel" lead to, below the account's pages. */
  back: { path: string; text: string };
  /** The current values of what the form changes, which it shows until it was posted. */
  values?: FieldValues;
  /** Whether the form counts only once when it is posted twice. */
  once?: true;
  /** Between the heading and the form. */
  between?: Html;
}

/** A page with a heading and a form that is posted to the same address. */
export function formPage(
  { base, place, signedIn, ...request }: Pick<DashboardRequest, 'base' | 'place' | 'signedIn' | 'once'>,
  state: FormState,
  { title, text, back: { path, text: backText }, values, once, between, ...form }: FormPage,
): { title: string; body: Html } {
  const back = { href: base + path, text: backText };
  const part = formPart({
    ...form,
    action: place,
    csrfToken: signedIn.csrfToken,
    once: once && request.once,
    state: values === undefined || state.problem ? state : { values },
    cancel: back.href,
  });
  return { title, body: html`${heading({ title, text, back })} ${between} ${part}` };
}
