import { ensureLocalKey } from '@tallyport/auth-svc';
import { checkProviderKeys } from '@tallyport/chat-svc';
import { sharedModel } from '@tallyport/sandbox';
import type { Kit } from '@tallyport/service-kit';
import { noteAddress } from './address-file.ts';
import type { Composition } from './compose.ts';
import type { AllInOneConfig } from './config.ts';
import { hasLocalPostgres } from './local-postgres.ts';
import { callableModel, providerKeysText } from './provider-keys.ts';
import { welcome } from './welcome.ts';

/** Prints the welcome text of a process with all services, and what the providers say about their keys. */
export async function showWelcome(
  kit: Kit<AllInOneConfig>,
  { database, link, publicUrl, setupPath, sandboxUrl }: Composition,
): Promise<void> {
  if (database === undefined) return;
  const { config } = kit;
  const keyChecks = checkProviderKeys(kit);
  // The operator knows a key they chose themselves, so it stays out of terminals and logs.
  const isOwnKey = config.BOOTSTRAP_API_KEY !== undefined;
  const key = isOwnKey ? '$BOOTSTRAP_API_KEY' : (await ensureLocalKey(database, config.DATA_DIR)).key;
  const url = publicUrl();
  if (config.DATABASE_URL === undefined) await noteAddress(url, config.DATA_DIR);
  const text = welcome({
    url,
    key,
    isOwnKey,
    setupPath: setupPath(),
    sandbox: config.SANDBOX,
    sandboxUrl,
    providers: keyChecks.providers,
    model: sandboxUrl === undefined ? await callableModel(link, keyChecks.providers) : sharedModel,
    offersPostgres: config.DATABASE_URL === undefined && (await hasLocalPostgres()),
  });
  process.stdout.write(text);
  // A vendor that does not answer must not delay the welcome text.
  void keyChecks.done.then((checked) => process.stdout.write(providerKeysText(checked)));
}
