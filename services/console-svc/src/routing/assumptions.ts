import type { FieldValues } from '@tallyport/pages';

/** What a slider assumes about a provider. Its field is `uptime.openai`. */
export interface Slider {
  name: 'uptime' | 'price' | 'slowness';
  label: string;
  unit: string;
  min: number;
  max: number;
  step: number;
}

export const sliders: readonly Slider[] = [
  { name: 'uptime', label: 'Uptime', unit: '%', min: 0, max: 100, step: 1 },
  { name: 'price', label: 'Price', unit: '×', min: 0, max: 5, step: 0.25 },
  { name: 'slowness', label: 'Slowness', unit: '×', min: 0.25, max: 5, step: 0.25 },
];

/** The position at which prices and speeds are as they are. */
const unchanged = 1;

export const sliderField = ({ name }: Slider, provider: string): string => `${name}.${provider}`;

/** Where the slider of an uptime was when the page was made: left there, it assumes nothing. */
export const knownUptimeField = (provider: string): string => `known.${provider}`;

/** The assumptions of moved sliders, as the query of `POST /v1/routes/explain`; `undefined` if none was moved. */
export function assumptionsIn(fields: FieldValues, providers: readonly string[]): string | undefined {
  const query = new URLSearchParams();
  for (const slider of sliders) {
    const moved = providers.flatMap((provider) => {
      const value = movedTo(slider, provider, fields);
      return value === undefined ? [] : `${provider}:${value}`;
    });
    if (moved.length > 0) query.set(slider.name, moved.join(','));
  }
  return query.size === 0 ? undefined : query.toString();
}

/** The position of a slider; `undefined` where it was. */
export function movedTo(slider: Slider, provider: string, fields: FieldValues): number | undefined {
  const text = fields[sliderField(slider, provider)];
  if (text === undefined || !/^\d{1,3}(\.\d{1,2})?$/.test(text)) return undefined;
  const value = Math.min(slider.max, Math.max(slider.min, Number(text)));
  const still = slider.name === 'uptime' ? Number(fields[knownUptimeField(provider)]) : unchanged;
  return value === still ? undefined : value;
}

/** The position of a slider that assumes nothing. */
export const stillAt = ({ name }: Slider, uptime: number): number =>
  name === 'uptime' ? Math.round(uptime * 100) : unchanged;
