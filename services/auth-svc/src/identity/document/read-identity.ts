import { readFile } from 'node:fs/promises';
import { type FileProblem, locateFile, unreadableFile } from '@tallyport/wire/yaml';
import { type ReferredSecret, referredSecret } from '@tallyport/service-kit';
import { Secret } from '@tallyport/management-server';
import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';
import { documentProblems } from './document-file.ts';
import { type IdentityDocument, identitySchema } from './identity-schema.ts';

type DeclaredProvider = IdentityDocument['providers'][number];
type DeclaredWorkload = IdentityDocument['workloads'][number];

/** A provider of sign-in. Each reading of the document creates new objects. */
export interface SignInProvider extends Omit<DeclaredProvider, 'clientSecret'> {
  clientSecret: Secret | undefined;
}

/** A rule for tokens of workloads. */
export interface Workload extends DeclaredWorkload {
  /** The issuer's keys, if a file has them. */
  jwks: JSONWebKeySet | undefined;
}

/** How people sign in, and which tokens of workloads are accepted. */
export interface Identity {
  passwords: IdentityDocument['passwords'];
  providers: readonly SignInProvider[];
  workloads: readonly Workload[];
  /** Files that the document refers to. A change of one is a change of the document. */
  files: readonly string[];
}

/** Without a document, people have passwords only. */
export const passwordsOnly: Identity = { passwords: 'on', providers: [], workloads: [], files: [] };

/** Reads the document and the files that it refers to. Throws FileError with file, line and member. */
export async function readIdentity(file: string): Promise<Identity> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadableFile(file, error);
  });
  const document = locateFile(file, text);
  const parsed = identitySchema.safeParse(document.value ?? {});
  if (!parsed.success) throw document.refusal(documentProblems(parsed.error));
  const { passwords, providers: declared, workloads: rules } = parsed.data;
  const problems: FileProblem[] = [];
  const providers = declared.map((provider, index): SignInProvider => {
    const secret = secretOf(provider.clientSecret);
    if ('problem' in secret) problems.push({ path: ['providers', index, 'clientSecret'], message: secret.problem });
    return { ...provider, clientSecret: 'problem' in secret ? undefined : secret.value };
  });
  const keys = await Promise.all(rules.map(keysOf));
  const workloads = rules.map((rule, index): Workload => {
    const found = keys[index];
    if (found && 'problem' in found) problems.push({ path: ['workloads', index, 'jwksFile'], message: found.problem });
    return { ...rule, jwks: found && 'jwks' in found ? found.jwks : undefined };
  });
  if (problems.length > 0) throw document.refusal(problems);
  const files = [...declared.map(({ clientSecret }) => clientSecret?.file), ...rules.map(({ jwksFile }) => jwksFile)];
  return { passwords, providers, workloads, files: files.filter((name) => name !== undefined) };
}

function secretOf(reference: ReferredSecret | undefined): { value: Secret | undefined } | { problem: string } {
  if (reference === undefined) return { value: undefined };
  const found = referredSecret(reference);
  if ('problem' in found) return found;
  if (found.text === undefined) return { problem: `${reference.variable} is not set. Set it, or name another secret.` };
  return { value: new Secret(found.text) };
}

const jwksSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

async function keysOf({
  jwksFile: file,
}: DeclaredWorkload): Promise<{ jwks: JSONWebKeySet } | { problem: string } | undefined> {
  if (file === undefined) return undefined;
  try {
    const jwks = jwksSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return jwks.success ? { jwks: jwks.data } : { problem: 'must be a file with a JSON Web Key Set ({"keys": […]}).' };
  } catch (error) {
    return { problem: `cannot be read as JSON (${error instanceof Error ? error.message : String(error)}).` };
  }
}
