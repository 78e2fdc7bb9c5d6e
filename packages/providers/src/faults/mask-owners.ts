const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';

/** Who pays a vendor is the operator's affair: its ids in errors, each with what stays of the text. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // OpenAI's and other organizations and projects, whose ids have a prefix.
  [/\b(?:org|proj)[-_](?=[\w-]{0,60}\d|[a-z]{20})[\w-]{6,}/gi, '[id]'],
  [/\b(?:acct|team|user|workspace|wrkspc)_(?=[a-z0-9]{0,40}\d)[a-z0-9]{16,}/gi, '[id]'],
  // Ids after a word for their owner. Ids of requests have another one, and stay.
  [
    new RegExp(
      `\\b((?:account|organi[sz]ation|org|project|subscription|team|tenant|workspace)\\b[^\\w]{0,6}(?:id\\b[^\\w]{0,4})?)${uuid}`,
      'gi',
    ),
    '$1[id]',
  ],
  [/\b(account(?:\s?id)?[^\w]{1,4})\d{12}\b/gi, '$1[id]'],
  // Google's projects, by name or number.
  [/\b(projects\/)[\w:.-]+/g, '$1[id]'],
  [/\b(project(?:_number)?[ :=]{1,2}["'`]?)\d{6,}/gi, '$1[id]'],
  [/([?&]project=)[\w:.-]+/g, '$1[id]'],
  // AWS: who called, and the account of a resource.
  [/\barn:aws[\w-]{0,10}:(?:iam|sts)::\d{12}:[\w+=,.@/-]+/g, '[id]'],
  [/\b(arn:aws[\w-]{0,10}:[\w-]{0,30}:[\w-]{0,20}:)\d{12}\b/g, '$1[id]'],
  // Azure's subscriptions, groups and resources.
  [/\/subscriptions\/[\w./-]+/gi, '/subscriptions/[id]'],
  [/\b[\w-]{1,64}(\.(?:openai|cognitiveservices|services\.ai)\.azure\.com)\b/gi, '[id]$1'],
];

/** Replaces ids of the operator's accounts with vendors. */
export const maskOwners = (text: string): string =>
  patterns.reduce((masked, [pattern, replacement]) => masked.replaceAll(pattern, replacement), text);
