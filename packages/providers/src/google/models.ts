import type { GeminiThinkingLevel } from '@tallyport/wire';

export interface ImageOutput {
  aspectRatios: readonly string[];
  /** The client's name of each size, and the vendor's. */
  sizes: Readonly<Record<string, string>>;
}

/** Features of one generation of models. The vendor refuses what a model does not support. */
export interface GeminiRules {
  thinking:
    | { kind: 'none' }
    | { kind: 'budget'; least: number; most: number }
    /** In ascending order. */
    | { kind: 'level'; levels: readonly GeminiThinkingLevel[] };
  /** Whether JSON schemas are accepted; older models support only a subset of OpenAPI's. */
  jsonSchemas: boolean;
  /** Whether tool calls of the current turn must be sent back with their signatures. */
  signatures: boolean;
  instructions: boolean;
  /** Whether presence and frequency penalties are accepted; other models refuse them. */
  penalties: boolean;
  /** Whether function tools and JSON output may be combined. */
  toolsWithJson: boolean;
  images: ImageOutput | undefined;
}

const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
const manyRatios = [...ratios, '1:4', '4:1', '1:8', '8:1'];
const sizes = { '1K': '1K', '2K': '2K', '4K': '4K' };

const none = { kind: 'none' } as const;
const levels = (...known: GeminiThinkingLevel[]) => ({ kind: 'level', levels: known }) as const;
const base = {
  jsonSchemas: true,
  signatures: false,
  instructions: true,
  penalties: false,
  toolsWithJson: false,
  images: undefined,
} as const;
const third = { ...base, signatures: true, toolsWithJson: true } as const;

/** The first pattern that matches a model's name applies; models newer than this table use the newest generation. */
const generations: readonly (readonly [RegExp, GeminiRules])[] = [
  [/2\.5-flash-image/, { ...base, thinking: none, instructions: false, images: { aspectRatios: ratios, sizes: {} } }],
  [/3-pro-image/, { ...third, thinking: none, images: { aspectRatios: ratios, sizes } }],
  [
    /3\.\d+-flash(-lite)?-image/,
    {
      ...third,
      thinking: levels('MINIMAL', 'HIGH'),
      images: {
        aspectRatios: manyRatios,
        sizes: { '0.5K': '512', ...sizes },
      },
    },
  ],
  [
    /nano-banana/,
    { ...third, thinking: levels('MINIMAL', 'MEDIUM', 'HIGH'), images: { aspectRatios: manyRatios, sizes } },
  ],
  [/gemini-(1|2\.0)/, { ...base, thinking: none, jsonSchemas: false, penalties: true }],
  [/2\.5-(pro|computer-use)/, { ...base, thinking: { kind: 'budget', least: 128, most: 32_768 } }],
  [/2\.5-flash/, { ...base, thinking: { kind: 'budget', least: 0, most: 24_576 } }],
  [/gemini-3-pro/, { ...third, thinking: levels('LOW', 'HIGH') }],
  [/gemma-4/, { ...third, thinking: levels('MINIMAL', 'HIGH') }],
  [/-hydrogen/, { ...third, thinking: levels('LOW', 'MEDIUM', 'HIGH', 'XHIGH') }],
  [/-pro|-argon|-carbon|3\.[78]-flash/, { ...third, thinking: levels('LOW', 'MEDIUM', 'HIGH') }],
];

const newest: GeminiRules = { ...third, thinking: levels('MINIMAL', 'LOW', 'MEDIUM', 'HIGH') };

export const geminiRules = (modelName: string): GeminiRules =>
  generations.find(([names]) => names.test(modelName))?.[1] ?? newest;
