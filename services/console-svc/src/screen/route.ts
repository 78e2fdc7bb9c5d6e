import type { Role } from '@tallyport/contracts';
import type { Account, AccountRights, CallOperation, ManagementOperations } from '@tallyport/management';
import type { FieldValues, Html, ScriptName, Viewer } from '@tallyport/pages';
import type { z } from 'zod';
import type { GatewayApi } from '../gateway/gateway-api.ts';
import type { LimitDefaults } from './limit-fields.ts';
import type { SectionName } from './sections.ts';
import type { NoticeName } from './notices.ts';

/** The user of a session, with the accounts they belong to. */
export type DashboardUser = z.output<ManagementOperations['readSession']['output']>;

/** A user's rights in an account. */
type DashboardCaller = AccountRights & { accountId: string };

/** A request of a signed-in user to a page of an account. */
export interface DashboardRequest {
  readonly caller: DashboardCaller;
  readonly signedIn: DashboardUser;
  readonly account: Account;
  /** Calls the management API with this caller's permissions. */
  readonly ask: CallOperation;
  /** Reads the API of the gateway with the rights of this user in the account. */
  readonly api: GatewayApi;
  /** The path of this account's pages: `/dashboard/<account>`. */
  readonly base: string;
  /** The path of this page, to which its form is posted. */
  readonly place: string;
  /** Returns a model that a key can call now. */
  modelFor(key: string): Promise<string | undefined>;
  readonly limitDefaults: LimitDefaults;
  readonly publicUrl: string;
  readonly viewer: Viewer;
  /** The parameters of the path. */
  readonly params: FieldValues;
  readonly query: FieldValues;
  /** The posted fields. */
  readonly fields: FieldValues;
  /** Whether the form was sent in an earlier session: it is shown again and takes no effect. */
  readonly isFromEarlierSession: boolean;
  /** A token for forms that create something: a form posted twice takes effect once. */
  readonly once: string;
}

export type DashboardResponse =
  | {
      title: string;
      body: Html;
      status?: number;
      scripts?: readonly ScriptName[];
      /** Whether the page shows images that are part of its own text. */
      hasInlineImages?: boolean;
    }
  /** A page whose content takes long. Its frame is sent first, so the status is 200 also if the content fails. */
  | { title: string; content: () => Promise<Html>; scripts?: readonly ScriptName[] }
  /** Data for a module of a page. */
  | { data: unknown }
  /** The action is done: redirects to `to`, below the account's pages, and shows the notice there. */
  | { to: string; notice?: NoticeName; cookie?: string }
  /** The action is done, and the user may no longer belong to this account. */
  | { home: true };

/** A page that shows a secret loads only the module that copies it. */
export const secretScripts: readonly ScriptName[] = ['copy.js'];

export interface DashboardRoute {
  readonly method: 'get' | 'post';
  /** The path below the account's pages. */
  readonly path: string;
  /** The section marked in the navigation; undefined for pages about the user. */
  readonly section: SectionName | undefined;
  /** The role the page needs, if it is more than the section's. */
  readonly access?: Role | undefined;
  /** The size limit of its form, if it is more than the usual 64 KiB. */
  readonly maxFormBytes?: number | undefined;
  answer(request: DashboardRequest): Promise<DashboardResponse>;
}
