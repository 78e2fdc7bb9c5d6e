import { GatewayError } from '@tallyport/contracts';

interface FormField {
  name: string;
  text: string;
}

interface FormRouting {
  models?: unknown;
  provider?: unknown;
}

/** Whether a field of a form says something about routing, so that no vendor gets it. */
export const isRoutingField = (name: string): boolean => /^(models|provider)(\[|$)/.test(name);

/** A list of five names of usual length has a tenth of this. */
const longestText = 8 * 1024;

/**
 * The members of a body in the fields of a form: `models` as JSON or as one field for each name, which clients also call
 * `models[]`; `provider` as JSON. Throws `invalid_parameters` for any other form of them.
 */
export function routingInForm(fields: readonly FormField[]): FormRouting {
  const models: string[] = [];
  const found: FormRouting = {};
  for (const { name, text } of fields) {
    if (!isRoutingField(name)) continue;
    if (text.length > longestText) throw invalid(name, `is longer than ${longestText} characters`);
    if (/^models(\[\d*\])?$/.test(name)) models.push(text);
    else if (name === 'provider' && found.provider === undefined) found.provider = jsonOr(text);
    else throw invalid(name, 'must be one field with JSON');
  }
  const [only] = models;
  if (only !== undefined) found.models = models.length === 1 && only.startsWith('[') ? jsonOr(only) : models;
  return found;
}

/** The text itself is refused where a list or an object is needed. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const invalid = (name: string, why: string): GatewayError => {
  const param = name.slice(0, 100);
  return new GatewayError('invalid_parameters', `\`${param}\` ${why}.`, { param });
};
