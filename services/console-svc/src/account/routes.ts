import { hasRole } from '@tallyport/management';
import { fieldValues, formPart, type FormState, inputOf } from '@tallyport/pages';
import { accountGroups, accountPage } from './view.ts';
import { formRoutes } from '../screen/form-routes.ts';
import { withDefaults } from '../screen/limit-fields.ts';
import { readSpent } from '../screen/read-spent.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

export const accountRoutes: readonly DashboardRoute[] = formRoutes({
  path: '/account',
  section: 'account',
  show: showAccount,
  submit: changeAccount,
});

async function showAccount(
  { ask, account, caller, place, signedIn, limitDefaults }: DashboardRequest,
  state: FormState,
): Promise<DashboardResponse> {
  const groups = accountGroups(caller.operator);
  const fields = groups.flatMap((group) => group.fields);
  const values = state.problem ? state.values : fieldValues(fields, account);
  const form = formPart({
    action: place,
    csrfToken: signedIn.csrfToken,
    state: { ...state, values },
    groups: withDefaults(groups, limitDefaults),
    button: 'Save',
  });
  const body = accountPage({
    account,
    limitDefaults,
    form: hasRole(caller, 'owner') && form,
    boundsInForm: caller.operator,
    spent: hasRole(caller, 'admin') && account.budget ? (await readSpent(ask, account.budget))?.amount : undefined,
  });
  return { title: 'Account', body };
}

async function changeAccount({ ask, caller, fields }: DashboardRequest): Promise<DashboardResponse> {
  const specs = accountGroups(caller.operator).flatMap((group) => group.fields);
  await ask('changeAccount', inputOf(specs, fields, { emptied: true }));
  return { to: '/account', notice: 'account-changed' };
}
