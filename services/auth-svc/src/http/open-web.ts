import type { RequestListener } from 'node:http';
import type { ExchangeHandler } from '@tallyport/bus';
import type { Caller, Catalogue, GuardWebhookTest, McpServerTest } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { appHandler } from '@tallyport/http-exchange';
import type { Store } from '@tallyport/store';
import type { UrlRules } from '@tallyport/outbound';
import {
  type AnyApiEndpoint,
  aside,
  type Attempts,
  createAccountTurns,
  createAttempts,
  createManage,
  type Identify,
  flowCookie,
  type Manage,
  managementApi,
  type PlannedChanges,
  type Secrets,
  sessionCookie,
} from '@tallyport/management-server';
import { createInvitations } from '../accounts/accept-invitation.ts';
import type { Announce } from '../bus/announce.ts';
import { callerOfSession, createIdentify } from './api/identify.ts';
import { createPageCallers, type PageCallers } from './api/page-caller.ts';
import type { ContentLogRules } from '../callers/content-log-setting.ts';
import { managementEndpoints } from './api/management.ts';
import type { AuthEvents } from '../events.ts';
import { createRuleTrials } from '../guardrails/rule-trials.ts';
import type { Identity } from '../identity/document/read-identity.ts';
import { acceptsSessions, checkPasswordsOn, createIdentityProviders } from '../identity/identity-providers.ts';
import { startAbsenceSweeper } from '../identity/members/absence-sweeper.ts';
import { startPlaceCheck } from '../identity/places/place-check.ts';
import { keepChecking } from '../identity/recheck/keep-checking.ts';
import { completeSignIn } from '../identity/sign-in/complete-sign-in.ts';
import { createWorkloads } from '../identity/workload/workloads.ts';
import type { FinishSignIn } from '../identity/sign-in/provider-sign-in.ts';
import { authApp } from './app.ts';
import { createSessionCaller, type SessionCaller, type SessionCallerTools } from '../playground/session-caller.ts';
import { renderOAuthError } from './oauth/render-error.ts';
import type { OAuthClientRules } from '../oauth/config.ts';
import { createOAuthServer, type OAuthServer } from '../oauth/oauth-server.ts';
import type { ProviderKeyTestTools } from '../provider-keys/test-provider-key.ts';
import { createSentForms } from '../sessions/sent-forms.ts';
import { createSessions, type Sessions } from '../sessions/sessions.ts';
import { startSessionSweeper } from '../sessions/sweep.ts';
import { createFirstOwner } from '../enrolment/first-owner.ts';
import { createPasswords } from '../users/passwords.ts';
import { createPasswordLinks } from '../enrolment/use-password-link.ts';

export interface WebOptions {
  store: Store;
  /** The public address without a trailing slash; called whenever it is needed. */
  publicUrl(): string;
  oauthClients: OAuthClientRules;
  /** Set if the starting process shows the link that creates the first owner; otherwise it is logged. */
  showsSetupLink?: true;
}

interface WebTools extends Pick<ProviderKeyTestTools, 'callWithKey'> {
  /** Which URLs webhooks of guardrails and registered MCP servers may have. */
  targetUrls: UrlRules;
  database: Database;
  planned: PlannedChanges;
  secrets: Secrets;
  contentLog: ContentLogRules;
  events: AuthEvents;
  testGuardWebhook(of: { accountId: string; id: string }): Promise<GuardWebhookTest>;
  testMcpServer(of: { accountId: string; id: string }): Promise<McpServerTest>;
  /** Throws `unavailable` until the database is prepared. */
  ready(): void;
  announce: Announce;
  catalogue(): Promise<Catalogue>;
  /** The document of identity providers in force. */
  identity(): Identity;
}

interface Web {
  /** Finds the caller with an access token of OAuth or a key of a workload; `null` if it is not valid. */
  findCaller(keyHash: string): Promise<Caller | null>;
  /** The management API for services with pages. */
  manage: Manage;
  /** Who calls, for the services that answer other operations. */
  identify: Identify;
  pageCaller: PageCallers['inAccount'];
  sessionCaller: SessionCaller;
  /** The operations of the management API. */
  endpoints: readonly AnyApiEndpoint[];
  /** Answers HTTP requests. */
  serve: ExchangeHandler;
  start(): void;
  stop(): Promise<void>;
}

/** What auth-svc serves over HTTP: sign-in, the management API and OAuth. */
export function openWeb(place: WebOptions, tools: WebTools): Web {
  const { store, publicUrl } = place;
  const { database } = tools;
  const onFailure = tools.events.pageFailed;
  const people = openPeople(store, tools);
  const { attempts, sessions } = people;
  const { workloads, sessionChecks, ...identityTools } = openIdentity(tools, { sessions, attempts });
  const oauth = openOAuth(place, tools, attempts);
  const identify = createIdentify({ database, sessions, attempts });

  const ruleTrials = createRuleTrials();
  const reading = { database: aside(database) };
  const others = { ...reading, ruleTrials, sessions, attempts, publicUrl };
  const endpoints = managementEndpoints({ ...tools, ...others });
  const turns = createAccountTurns();
  const callerOf: SessionCallerTools['callerOf'] = (signedIn, account) =>
    callerOfSession(database, { signedIn, account });
  const pageCallers = createPageCallers({ database, sessions, firstTime: createSentForms(store) });
  const manage = createManage({ endpoints, turns, callerOf: pageCallers.ofRequest });

  function makeApp(): RequestListener {
    const { origin } = new URL(publicUrl());
    return authApp({
      sessions,
      oauth,
      ready: tools.ready,
      ...linkTools(people),
      callerOfAdminKey: (keyHash, address) => identify({ ...onlyKey, keyHash, address }, origin),
      cookie: sessionCookie(new URL(origin)),
      flowCookie: flowCookie(new URL(origin)),
      attempts,
      ...identityTools,
      countOAuth: (kind, address) => attempts.count(kind, address),
      managementApi: managementApi({ identify, turns, planned: tools.planned, onFailure, endpoints }),
      onFailure,
    });
  }

  let stopSweepers: (() => void) | undefined;
  // Created with the first request: in a single process, edge and with it the public address start after auth-svc.
  let app: RequestListener | undefined;
  return {
    findCaller: async (keyHash) => (await workloads.findCaller(keyHash)) ?? (await oauth.findCaller(keyHash)),
    manage,
    identify,
    pageCaller: pageCallers.inAccount,
    sessionCaller: createSessionCaller({ database, sessions, callerOf }),
    endpoints,
    serve: appHandler((request, response) => (app ??= makeApp())(request, response)),
    start() {
      oauth.start();
      stopSweepers = startBackgroundWork(tools);
      sessionChecks.start();
    },
    async stop() {
      oauth.stop();
      stopSweepers?.();
      await Promise.all([sessionChecks.stop(), ruleTrials.stop()]);
    },
  };
}

const openOAuth = ({ publicUrl, oauthClients }: WebOptions, tools: WebTools, attempts: Attempts): OAuthServer =>
  createOAuthServer({
    database: tools.database,
    secrets: tools.secrets,
    publicUrl,
    events: tools.events,
    onTokenEnded: (tokenHash) => tools.announce.keysEnded([tokenHash]),
    ...oauthClients,
    countFetch: (address) => attempts.count('oauth_fetch', address),
    renderError: renderOAuthError,
  });

const linkTools = (people: ReturnType<typeof openPeople>) => ({
  firstOwner: createFirstOwner(people),
  invitations: createInvitations(people),
  passwordLinks: createPasswordLinks(people),
});

/** What signing in and enrolling people needs. */
function openPeople(store: Store, { database, announce, identity, secrets }: WebTools) {
  const attempts = createAttempts(store);
  const passwords = createPasswords({ checkAllowed: () => checkPasswordsOn(identity()) });
  const accepts = acceptsSessions(identity);
  const sessions = createSessions({ database, passwords, attempts, announce, secrets, accepts });
  return { database, passwords, attempts, sessions, announce };
}

function openIdentity(
  { database, identity, announce, events, secrets, ready }: WebTools,
  { sessions, attempts }: { sessions: Sessions; attempts: Attempts },
) {
  const workloads = createWorkloads({ database, identity, attempts, events });
  const identityProviders = createIdentityProviders(database, identity);
  const { signIn, refresh } = identityProviders;
  const completion = { database, signIn, sessions, announce, secrets, events };
  return {
    workloads,
    sessionChecks: keepChecking({ database, secrets, refresh, announce, events, identity, ready }),
    exchangeToken: workloads.exchange,
    identityProviders,
    identityEvents: events,
    completeSignIn: (finish: FinishSignIn) => completeSignIn(completion, finish),
  };
}

/** Returns a function that stops the sweepers. */
function startBackgroundWork({ database, identity, announce, events }: WebTools): () => void {
  const stopSessions = startSessionSweeper(database, events.sessionsNotSwept);
  const stopAbsence = startAbsenceSweeper({ database, identity, announce, onFailed: events.absentNotRemoved });
  const stopPlaces = startPlaceCheck({ database, identity, events });
  return () => {
    stopPlaces();
    stopSessions();
    stopAbsence();
  };
}

/** OAuth clients are registered with an admin key, never with a session. */
const onlyKey = { sessionToken: undefined, account: undefined, origin: {}, changes: true } as const;
