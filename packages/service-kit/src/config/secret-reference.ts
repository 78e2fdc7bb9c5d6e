import { z } from 'zod';
import type { ConfigSources } from './config-sources.ts';
import { environmentSources } from './env-file.ts';
import { fileContent, type SettingText, settingText } from './setting-text.ts';

/**
 * Where a document of the operator finds a secret, which is never part of the document. The prefix keeps a document
 * from sending other secrets of the environment to a server that it names.
 */
export const secretPlaceSchema = z
  .strictObject({
    variable: z
      .string()
      .regex(/^IDENTITY_SECRET_[A-Z0-9_]{1,100}$/, 'must begin with IDENTITY_SECRET_, such as IDENTITY_SECRET_ACME')
      .optional(),
    file: z.string().min(1).optional(),
  })
  .refine(({ variable, file }) => (variable === undefined) !== (file === undefined), 'must name a variable or a file');

export type ReferredSecret = z.infer<typeof secretPlaceSchema>;

/** Reads the secret from the file, or from the variable or the file that `<VARIABLE>_FILE` names. */
export function referredSecret(
  { variable = '', file }: ReferredSecret,
  sources: ConfigSources = environmentSources(),
): SettingText {
  if (file !== undefined) return fileContent('file', file);
  return settingText(variable, { schema: z.unknown(), secret: true, description: '' }, sources);
}
