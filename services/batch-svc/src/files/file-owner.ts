import { GatewayError, type RequestHead } from '@tallyport/contracts';

/** Files and batches belong to an account, and to the project of the key that stored them. */
export interface FileOwner {
  accountId: string;
  /** Null for keys outside projects. */
  projectId: string | null;
}

export function fileOwnerOf({ principal }: Pick<RequestHead, 'principal'>, what = 'Files'): FileOwner {
  if (principal === undefined) throw new GatewayError('invalid_api_key', `${what} need an API key.`);
  return { accountId: principal.accountId, projectId: principal.projectId ?? null };
}
