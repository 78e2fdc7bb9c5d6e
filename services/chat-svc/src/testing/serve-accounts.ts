import type { ExchangeHandler, Link } from '@tallyport/bus';
import { authService, type KeptContent, ledgerService, type ProviderKey, type Routes } from '@tallyport/contracts';

export interface AccountAnswers {
  contents: KeptContent[];
  /** Loads the own provider keys of any account; there are none when absent. */
  providerKeys?: (() => Promise<ProviderKey[]>) | undefined;
  /** Loads the routes of an account in a version; no account has any when absent. */
  routes?: ((asked: { accountId: string; version: string }) => Promise<Routes>) | undefined;
}

/** Takes the place of auth-svc and ledger-svc: returns provider keys, and collects the contents that would be stored. */
export async function serveAccounts(
  link: Link,
  { contents, providerKeys = async () => [], routes = async () => ({}) }: AccountAnswers,
): Promise<void> {
  const ledger: Record<string, ExchangeHandler> = {
    async keepContents({ body }) {
      contents.push(...JSON.parse(Buffer.from(await body.bytes(16 * 1024 * 1024)).toString()).contents);
      return { head: { status: 200, headers: {} }, body: Buffer.from('{}') };
    },
  };
  const auth: Record<string, ExchangeHandler> = {
    async providerKeys() {
      const keys = await providerKeys();
      return { head: { status: 200, headers: {} }, body: Buffer.from(JSON.stringify({ keys })) };
    },
    async routes({ body }) {
      const asked = JSON.parse(Buffer.from(await body.bytes(1024)).toString());
      return { head: { status: 200, headers: {} }, body: Buffer.from(JSON.stringify({ routes: await routes(asked) })) };
    },
  };
  await link.listen({ service: authService.name, version: '1.0.0', handlers: auth, options: {} });
  await link.listen({ service: ledgerService.name, version: '1.0.0', handlers: ledger, options: {} });
}
