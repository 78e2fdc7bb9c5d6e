/** Tests of one file that try to break in or to break something: all of them, or those whose title matches. */
export interface HostileTests {
  file: string;
  title?: RegExp;
}

/** The hostile tests by what they attack. The table in docs/security.md counts them. */
export const hostileTests: Readonly<Record<string, readonly HostileTests[]>> = {
  'passwords, invitations and sessions': [
    { file: 'services/auth-svc/src/http/api/management-api.test.ts', title: /guess|sign-in|session|password/ },
    { file: 'services/auth-svc/src/sessions/cookie.test.ts' },
    { file: 'services/auth-svc/src/sessions/guard-guess.test.ts' },
    { file: 'services/auth-svc/src/users/passwords.test.ts' },
    { file: 'packages/management/src/users/guessable.test.ts' },
  ],
  'keys and addresses of clients': [
    { file: 'services/edge/src/anonymous-clients.test.ts' },
    { file: 'services/edge/src/authenticate/authenticate.test.ts' },
    { file: 'services/edge/src/authenticate/client-address.test.ts' },
    { file: 'services/edge/src/authenticate/credentials.test.ts' },
    { file: 'services/auth-svc/src/http/serve-web.test.ts' },
  ],
  'identity providers': [
    { file: 'tests/identity/untrusted-responses.test.ts' },
    { file: 'services/auth-svc/src/identity/members/admit.test.ts' },
    { file: 'services/auth-svc/src/identity/document/read-identity.test.ts', title: /refused/ },
    {
      file: 'services/auth-svc/src/identity/recheck/check-session.test.ts',
      title: /without a usable answer|ends this session|at once|is kept/,
    },
  ],
  'workload identity': [
    {
      file: 'tests/workload-identity/exchange.test.ts',
      title: /gets no key|is refused|cannot be loaded|ends|has to wait/,
    },
  ],
  'accounts, projects and roles': [
    {
      file: 'services/auth-svc/src/http/api/management-api.test.ts',
      title: /cannot|refuse|may no longer|not visible|only|other accounts/,
    },
    { file: 'services/auth-svc/src/contents/contents.test.ts', title: /another/ },
  ],
  guardrails: [
    { file: 'packages/contracts/src/guardrails.test.ts' },
    { file: 'packages/guardrails/src/cut-texts.test.ts' },
    { file: 'packages/guardrails/src/hidden-texts.test.ts' },
    { file: 'packages/guardrails/src/linear.test.ts' },
    { file: 'packages/guardrails/src/long-matches.test.ts' },
    { file: 'packages/guardrails/src/held-arguments.test.ts' },
    { file: 'packages/guardrails/src/held-text.test.ts' },
    { file: 'packages/guardrails/src/rule-time.test.ts' },
    { file: 'packages/serving/src/guardrails/guard-requests.test.ts' },
    { file: 'packages/serving/src/guardrails/webhooks/open-webhooks.test.ts' },
    {
      file: 'services/auth-svc/src/guard-webhooks/guard-webhooks.test.ts',
      title: /refused|another|limited|must exist/,
    },
    { file: 'services/chat-svc/src/guardrails.test.ts' },
    { file: 'tests/guardrails/guardrails.test.ts' },
    { file: 'tests/guardrails/inspected-members.test.ts' },
  ],
  'registered MCP servers': [
    { file: 'services/mcp-svc/src/federation/account-shares.test.ts' },
    { file: 'services/mcp-svc/src/federation/answer-bounds.test.ts' },
    { file: 'services/mcp-svc/src/federation/hostile-server.test.ts' },
    { file: 'services/mcp-svc/src/federation/read-result.test.ts' },
    { file: 'services/mcp-svc/src/federation/reading-pace.test.ts' },
    { file: 'services/mcp-svc/src/federation/redact.test.ts' },
  ],
  'calls of `/mcp`': [
    { file: 'services/edge/src/mcp/origin-check.test.ts' },
    { file: 'services/mcp-svc/src/bad-bodies.test.ts' },
    { file: 'services/mcp-svc/src/preview/account-uploads.test.ts' },
    { file: 'services/mcp-svc/src/preview/file-name.test.ts' },
    { file: 'tests/mcp/limits.test.ts' },
  ],
  'alerts and mail': [
    { file: 'services/auth-svc/src/alerts/alerts.test.ts', title: /refused|at most|no other account|public addresses/ },
    { file: 'services/auth-svc/src/alerts/deliveries/send-email.test.ts' },
  ],
  'stored responses': [
    { file: 'services/chat-svc/src/responses/references.test.ts' },
    { file: 'services/chat-svc/src/responses/responses.test.ts', title: /refused|cannot be/ },
  ],
  OAuth: [
    { file: 'services/auth-svc/src/http/oauth/normalisers.test.ts' },
    { file: 'services/auth-svc/src/oauth/clean-name.test.ts' },
    { file: 'services/auth-svc/src/oauth/foreign-documents.test.ts' },
    { file: 'services/auth-svc/src/oauth/foreign-fetch.test.ts' },
    { file: 'services/auth-svc/src/oauth/resources.test.ts' },
    {
      file: 'tests/oauth/one-process.test.ts',
      title:
        /reuse|null character|method that|requests to authorize|requests for tokens|registrations|revoked|no usable|removed|at once/,
    },
  ],
  'the dashboard: CSRF, XSS and secrets': [
    { file: 'packages/pages/src/html.test.ts' },
    { file: 'packages/pages/src/http/csrf-mask.test.ts' },
    { file: 'services/edge/src/dashboard/admit-form.test.ts' },
    {
      file: 'services/edge/src/dashboard/dashboard-routes.test.ts',
      title: /signs|signed for|64 KiB|undeclared|dies|slow client/,
    },
    { file: 'tests/dashboard/build.test.ts', title: /another origin|without a token/ },
    { file: 'tests/oauth/pages.test.ts', title: /another site|other sites/ },
  ],
  'bodies of every API': [
    { file: 'packages/wire/src/json/body.test.ts' },
    { file: 'packages/wire/src/json/long-strings.test.ts' },
    { file: 'packages/wire/src/json/vectors.test.ts' },
    { file: 'packages/wire/src/multipart/form.test.ts' },
    { file: 'services/chat-svc/src/unknown-members.test.ts' },
    { file: 'services/edge/src/door.test.ts' },
    { file: 'services/edge/src/refused-uploads.test.ts' },
    { file: 'services/edge/src/unread-bodies.test.ts' },
    { file: 'services/image-svc/src/bad-input.test.ts' },
    { file: 'tests/shapes/shapes.test.ts' },
  ],
  'answers of providers': [
    { file: 'packages/outbound/src/http/read-all.test.ts' },
    { file: 'packages/wire/src/sse/decoder.test.ts' },
    { file: 'packages/wire/src/aws-event-stream/decoder.test.ts' },
    { file: 'services/chat-svc/src/dialects/faults.test.ts' },
    { file: 'services/chat-svc/src/faults.test.ts' },
    { file: 'tests/clients/faults.test.ts' },
  ],
  'permissions at NATS': [{ file: 'tests/bus/nats-users.test.ts' }, { file: 'tests/bus/nats-credentials.test.ts' }],
  'addresses of others (SSRF)': [
    { file: 'packages/outbound/src/address/addresses.test.ts' },
    { file: 'packages/outbound/src/address/check-url.test.ts' },
    { file: 'packages/outbound/src/address/private-targets.test.ts' },
  ],
  'clients that leave': [{ file: 'services/edge/src/leaving.test.ts' }],
  'servers and services that die or hang': [
    { file: 'tests/bus/nats-dark.test.ts' },
    { file: 'tests/bus/nats-disk.test.ts' },
    { file: 'tests/bus/nats-faults.test.ts' },
    { file: 'tests/bus/nats-full.test.ts' },
    { file: 'tests/bus/nats-hang.test.ts' },
    { file: 'tests/bus/nats-killed.test.ts' },
    { file: 'tests/connections/nats-cluster.test.ts' },
    { file: 'tests/mcp/replicas.test.ts', title: /hung|killed|without replicas/ },
    { file: 'packages/service-kit/src/life/repeat.test.ts' },
    { file: 'packages/service-kit/src/life/run-process.test.ts' },
    { file: 'packages/database/src/postgres-faults.test.ts' },
    { file: 'packages/store/src/redis/redis-faults.test.ts' },
    { file: 'tests/money/faults.test.ts' },
    { file: 'tests/money/invariant.test.ts' },
  ],
  'accounts beside each other': [
    { file: 'tests/neighbours/one-process.test.ts' },
    { file: 'services/auth-svc/src/api/account-turns.test.ts' },
    { file: 'services/auth-svc/src/guardrails/rule-trials.test.ts', title: /take long/ },
    { file: 'packages/database/src/postgres-faults.test.ts', title: /leaves connections/ },
  ],
};
