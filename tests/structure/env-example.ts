import type { Setting } from '@tallyport/service-kit';

const opening = `# The settings that most installations set, with their defaults. All settings are in docs/settings.md.
# Copy what you need into a file named .env beside this one, or set it in the environment, which takes precedence.
# An empty value counts as not set. A secret can also be read from a file: set <NAME>_FILE to its path.
`;

/** What a platform team decides, in the order in which it does. */
const sections: Readonly<Record<string, readonly string[]>> = {
  address: ['BASE_URL', 'HOST', 'PORT', 'TRUSTED_PROXIES'],
  'state (without it, one process keeps everything itself)': [
    'DATABASE_URL',
    'REDIS_URL',
    'NATS_URL',
    'JOURNAL_REPLICAS',
    'DATA_DIR',
    'USAGE_SPILL_DIR',
  ],
  secrets: ['SECRETS_KEY', 'INTERNAL_SECRET'],
  'providers and models': ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'SANDBOX', 'TALLYPORT_CONFIG'],
  'people and keys': [
    'BOOTSTRAP_ADMIN_EMAIL',
    'BOOTSTRAP_ADMIN_PASSWORD',
    'BOOTSTRAP_API_KEY',
    'IDENTITY_CONFIG',
    'GATEWAY_CONFIG',
  ],
  'limits and what is kept': [
    'LIMIT_CHAT_PER_MINUTE',
    'LIMIT_TOKENS_PER_MINUTE',
    'CACHE_TTL_SECONDS',
    'USAGE_RETENTION_DAYS',
    'LOG_CONTENT',
  ],
  network: ['PRIVATE_TARGETS', 'SMTP_URL', 'SMTP_FROM'],
  operation: ['LOG_LEVEL', 'ADMIN_HOST', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
};

/** The text of `.env.example`. */
export function envExample(settings: ReadonlyMap<string, Setting>): string {
  const parts = Object.entries(sections).map(([title, names]) => {
    const known = names.map((name) => ({ name, setting: settings.get(name) }));
    return `\n# --- ${title} ---\n${known.map(entry).join('')}`;
  });
  return opening + parts.join('');
}

interface Shown {
  readonly name: string;
  readonly setting: Setting | undefined;
}

/** Settings with the same description, as keys of providers have, share it. */
function entry({ name, setting }: Shown, at: number, all: readonly Shown[]): string {
  if (setting === undefined) throw new Error(`${name} is no setting: remove it from tests/structure/env-example.ts.`);
  const line = `#${name}=${setting.default ?? setting.example ?? ''}\n`;
  return all[at - 1]?.setting?.description === setting.description ? line : `\n# ${setting.description}\n${line}`;
}
