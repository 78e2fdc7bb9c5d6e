import type { RequestHead } from '@tallyport/contracts';
import type { RouteCase } from './case-file.ts';
import type { World } from './world.ts';

/** What arrives with the body: as if a key of the account sent it. */
export function headOf(
  { headers, path, allowedModels, key, project, accountTags }: RouteCase,
  { scoreWeights }: Pick<World, 'scoreWeights'>,
): RequestHead {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    requestId: 'case',
    timeoutMs: 1_000,
    headers: Object.fromEntries(lowerCase),
    ...(path !== undefined && { query: new URLSearchParams({ path }).toString() }),
    principal: {
      accountId: 'default',
      ...(accountTags && { accountTags }),
      ...(scoreWeights && { scoreWeights }),
      keyId: key,
      ...(project !== '' && { projectId: project }),
      ...(allowedModels && { allowedModels }),
    },
  };
}

export const bodyOf = ({ request, tokens }: RouteCase): Uint8Array =>
  Buffer.from(JSON.stringify(typeof request === 'string' ? chatWith(request, tokens) : request));

const chatWith = (model: string, tokens = 1): object => ({
  model,
  messages: [{ role: 'user', content: 'words '.repeat(tokens) }],
});

export const timeOf = ({ at }: RouteCase): number => (at === undefined ? Date.now() : Date.parse(at));
