import { mcpServerAuthInputSchema, type McpServerRecord } from '@tallyport/management';
import type { AccountPart } from '../account-part.ts';
import { callStep } from '../call-step.ts';
import type { McpServerEntry } from '../document.ts';
import { authParts } from '../mcp-server-auth.ts';
import type { PlanOptions } from '../plan-options.ts';
import { joinParts, type PartPlan, problemPart, stepPart, unchangedPart } from '../plan-step.ts';
import { issueMessages, secretChanges } from '../referred-secret.ts';
import { settingChanges } from '../setting-changes.ts';
import { unlistedParts } from '../unlisted-parts.ts';

/** Servers are recognised by name, which begins the names of their tools. */
export function planMcpServers(
  { account, entry, state }: AccountPart<Record<string, McpServerEntry>>,
  { secrets }: Pick<PlanOptions, 'secrets'>,
): PartPlan {
  const existing = state?.mcpServers ?? [];
  const wanted = Object.entries(entry).map(([name, server]) => {
    const found = existing.find((each) => each.name === name);
    return planMcpServer({ account, name, server, secrets }, found);
  });
  return joinParts([...wanted, ...unlistedParts({ account, entry, existing, subjectOf }, 'deleteMcpServer')]);
}

interface WantedServer extends Pick<PlanOptions, 'secrets'> {
  account: string;
  name: string;
  server: McpServerEntry;
}

function planMcpServer({ account, name, server, secrets }: WantedServer, found: McpServerRecord | undefined): PartPlan {
  const { shown, secret } = authParts(server.auth);
  const text = secret && secrets(secret.reference);
  const auth = mcpServerAuthInputSchema.safeParse({ ...shown, ...(secret && { [secret.member]: text }) });
  if (!auth.success) {
    const path = ['accounts', account, 'mcpServers', name, 'auth', ...(secret ? [secret.member] : [])];
    return problemPart(path, issueMessages(auth.error));
  }
  const { lastFour: known, ...shownNow } = { lastFour: undefined, ...found?.auth };
  const changes = [
    ...settingChanges(['url', 'auth', 'enabled'], { ...found, auth: shownNow }, { ...server, auth: shown }),
    ...(text === undefined ? [] : secretChanges('secret', text, found && { lastFour: known })),
  ];
  const step = { account, subject: subjectOf(name), changes };
  const settings = { ...server, auth: auth.data };
  if (found === undefined) {
    return stepPart(callStep({ ...step, action: 'create' }, 'createMcpServer', () => ({ name, ...settings })));
  }
  if (changes.length === 0) return unchangedPart;
  // With another URL the API needs the secret again, so it is always sent.
  return stepPart(callStep({ ...step, action: 'change' }, 'changeMcpServer', () => ({ id: found.id, ...settings })));
}

const subjectOf = (name: string): string => `MCP server ${JSON.stringify(name)}`;
