import type { MemberRole } from '@switchyard/database';
import type { Account } from '../../accounts/account-operations.ts';
import type { ApiCaller } from '../../api/caller.ts';
import type { Ask } from '../../api/management-client.ts';
import type { FieldValues } from '../../pages/dashboard/field-spec.ts';
import type { Html } from '../../pages/html.ts';
import type { SectionName } from '../../pages/dashboard/sections.ts';
import type { SignedInUser } from '../../sessions/find-session.ts';
import type { NoticeName } from './notices.ts';

/** Somebody who is signed in looks at, or changes, something of one account. */
export interface DashboardRequest {
  readonly caller: ApiCaller;
  readonly signedIn: SignedInUser;
  readonly account: Account;
  /** The management API, as this caller may use it. */
  readonly ask: Ask;
  /** Where the pages of this account are: `/dashboard/<account>`. */
  readonly base: string;
  /** This page itself: where its form is sent. */
  readonly place: string;
  readonly publicUrl: string;
  /** Of the path. */
  readonly params: FieldValues;
  readonly query: FieldValues;
  /** What was sent. */
  readonly fields: FieldValues;
  /** For forms that make something: whoever sends one twice makes it once. */
  readonly once: string;
}

export type DashboardResponse =
  | { title: string; body: Html; status?: number }
  /** Done: the browser goes on to `to`, below the account's pages, and says so there. */
  | { to: string; notice?: NoticeName }
  /** Done, and perhaps this account is theirs no longer. */
  | { home: true };

export interface DashboardRoute {
  readonly method: 'get' | 'post';
  /** Below the account's pages. */
  readonly path: string;
  /** The one that is marked in the navigation; none for what belongs to a person. */
  readonly section: SectionName | undefined;
  /** Where not everybody who may see the section may go. */
  readonly access?: MemberRole | undefined;
  answer(request: DashboardRequest): Promise<DashboardResponse>;
}
