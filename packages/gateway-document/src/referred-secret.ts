import { lastFour } from '@tallyport/management';
import type { z } from 'zod';
import type { SettingChange } from './plan-step.ts';

/** What is wrong with the text of a secret, without the text. */
export function secretProblem(schema: z.ZodType, text: string | undefined): string | undefined {
  const { error } = schema.safeParse(text);
  return error && issueMessages(error);
}

export const issueMessages = ({ issues }: z.ZodError): string => issues.map(({ message }) => message).join('; ');

/** Secrets are never shown, in plans neither. */
export const replacedSecret = (name: string): SettingChange => ({
  name,
  from: 'another secret',
  to: 'the secret it refers to',
});

/** The change of a secret of which the gateway shows the last four characters, or none if they were not kept yet. */
export const secretChanges = (
  name: string,
  text: string,
  found: { lastFour?: string | undefined } | undefined,
): SettingChange[] => (found === undefined || lastFour(text) === found.lastFour ? [] : [replacedSecret(name)]);
