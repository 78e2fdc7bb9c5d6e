import { parseArgs } from 'node:util';

export const applyUsage = `Usage: npm run apply -- gateway.yaml [options]

  --plan             show what would change, and change nothing: exit code 2 if there is something to change, else 0
  --prune            also delete what is not in the document, in the sections that it has
  --url URL          the gateway; http://127.0.0.1:4000 by default
  --key-env NAME     the variable that has the admin key; ADMIN_KEY by default
  --revision N       apply only the plan that was shown for this revision: refused if anything has changed since
  --secrets-to FILE  write new keys, client secrets and invitation links to this new file, as a Kubernetes Secret
`;

export interface ApplyOptions {
  file: string;
  plan: boolean;
  prune: boolean;
  url: string;
  key: string;
  secretsTo: string | undefined;
  /** The revision of the plan that was looked at. */
  revision: string | undefined;
}

const options = {
  plan: { type: 'boolean', default: false },
  prune: { type: 'boolean', default: false },
  url: { type: 'string', default: 'http://127.0.0.1:4000' },
  'key-env': { type: 'string', default: 'ADMIN_KEY' },
  'secrets-to': { type: 'string' },
  revision: { type: 'string' },
} as const;

/** Returns the options, or a sentence that says what is wrong with the arguments. */
export function readOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ApplyOptions | string {
  const parsed = parse(words);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) return 'Name one document.';
  if (!/^https?:$/.test(URL.parse(values.url)?.protocol ?? '')) {
    return '--url must start with http:// or https://.';
  }
  const { revision } = values;
  if (revision !== undefined && !/^\d+$/.test(revision)) return '--revision must be the number that --plan has shown.';
  const key = environment[values['key-env']]?.trim();
  if (!key) return `Set ${values['key-env']} to an admin key: npm run key -- create <name> --admin`;
  const { plan, prune, url } = values;
  return { file, plan, prune, url: url.replace(/\/+$/, ''), key, secretsTo: values['secrets-to'], revision };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}
