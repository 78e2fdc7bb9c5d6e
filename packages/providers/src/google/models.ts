import type { GeminiThinkingLevel } from '@switchyard/wire';

export interface ImageOutput {
  aspectRatios: readonly string[];
  /** The client's word for each size, and the vendor's. */
  sizes: Readonly<Record<string, string>>;
}

/** What one generation of models takes; what it does not is refused by the vendor. */
export interface GeminiRules {
  thinking:
    | { kind: 'none' }
    | { kind: 'budget'; least: number; most: number }
    /** In ascending order. */
    | { kind: 'level'; levels: readonly GeminiThinkingLevel[] };
  /** Schemas as they are; older models know a subset of their own. */
  jsonSchemas: boolean;
  /** Tool calls of the current turn have to come back with their signatures. */
  signatures: boolean;
  instructions: boolean;
  images: ImageOutput | undefined;
}

const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
const sizes = { '1K': '1K', '2K': '2K', '4K': '4K' };

const none = { kind: 'none' } as const;
const levels = (...known: GeminiThinkingLevel[]) => ({ kind: 'level', levels: known }) as const;
const base = { jsonSchemas: true, signatures: false, instructions: true, images: undefined } as const;
const third = { ...base, signatures: true } as const;

/** By name, the first that fits; whatever is newer than this table follows the newest. */
const generations: readonly (readonly [RegExp, GeminiRules])[] = [
  [/2\.5-flash-image/, { ...base, thinking: none, instructions: false, images: { aspectRatios: ratios, sizes: {} } }],
  [/3-pro-image/, { ...third, thinking: none, images: { aspectRatios: ratios, sizes } }],
  [
    /3\.\d+-flash(-lite)?-image/,
    {
      ...third,
      thinking: levels('MINIMAL', 'HIGH'),
      images: {
        aspectRatios: [...ratios, '1:4', '4:1', '1:8', '8:1'],
        sizes: { '0.5K': '512', ...sizes },
      },
    },
  ],
  [/gemini-(1|2\.0)/, { ...base, thinking: none, jsonSchemas: false }],
  [/2\.5-pro/, { ...base, thinking: { kind: 'budget', least: 128, most: 32_768 } }],
  [/2\.5-flash/, { ...base, thinking: { kind: 'budget', least: 0, most: 24_576 } }],
  [/gemini-3-pro/, { ...third, thinking: levels('LOW', 'HIGH') }],
  [/-pro/, { ...third, thinking: levels('LOW', 'MEDIUM', 'HIGH') }],
];

const newest: GeminiRules = { ...third, thinking: levels('MINIMAL', 'LOW', 'MEDIUM', 'HIGH') };

export const geminiRules = (modelName: string): GeminiRules =>
  generations.find(([names]) => names.test(modelName))?.[1] ?? newest;
