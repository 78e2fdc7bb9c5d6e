import { hash } from 'node:crypto';

/** A picture of soft lights in 256 shades. The text `about` decides their position and colour. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each shade. */
  readonly palette: Uint8Array;
  /** The shades of one row; the same array is reused. */
  row(y: number): Uint8Array;
}

export interface PictureSpec {
  readonly about: string;
  readonly width: number;
  readonly height: number;
}

const lightCount = 4;
/** The minimum brightness. */
const dusk = 0.08;
/** The brightness shown as half of the scale; the curve never saturates. */
const halfBright = 0.5;

export function drawPicture({ about, width, height }: PictureSpec): Picture {
  const chance = [...hash('sha256', about, 'buffer')].map((byte) => byte / 255);
  const across = lightsAlong(width, chance.slice(0, lightCount * 2));
  const down = lightsAlong(height, chance.slice(lightCount * 2, lightCount * 4));
  const brightness = new Float32Array(width);
  const shades = new Uint8Array(width);
  return {
    width,
    height,
    palette: paletteOf(chance.at(-1) ?? 0, chance.at(-2) ?? 0),
    row: (y) => {
      brightness.fill(dusk);
      for (const [index, light] of across.entries()) addLight(brightness, light, down[index]?.[y] ?? 0);
      for (let x = 0; x < width; x += 1) {
        const light = brightness[x] ?? 0;
        shades[x] = (255 * light) / (light + halfBright);
      }
      return shades;
    },
  };
}

/** The brightness of a light is the product of a horizontal and a vertical curve, which is cheap for large pictures. */
function lightsAlong(length: number, chance: readonly number[]): Float32Array[] {
  return Array.from({ length: lightCount }, (_, index) => {
    const centre = chance[index * 2] ?? 0;
    const radius = 0.1 + 0.3 * (chance[index * 2 + 1] ?? 0);
    return Float32Array.from({ length }, (_unused, place) => Math.exp(-(((place / length - centre) / radius) ** 2)));
  });
}

function addLight(brightness: Float32Array, light: Float32Array, strength: number): void {
  for (let x = 0; x < light.length; x += 1) brightness[x] = (brightness[x] ?? 0) + (light[x] ?? 0) * strength;
}

/** A gradient from a dark to a bright colour with a shifted hue. */
function paletteOf(hue: number, turn: number): Uint8Array {
  const palette = new Uint8Array(256 * 3);
  for (let shade = 0; shade < 256; shade += 1) {
    const share = shade / 255;
    palette.set(colourOf(hue + share * (0.15 + 0.35 * turn), 0.12 + 0.8 * share), shade * 3);
  }
  return palette;
}

/** Hue and lightness, both from 0 to 1, at a fixed saturation. */
function colourOf(hue: number, lightness: number): number[] {
  const reach = 0.7 * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const place = (offset + hue * 12) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1))));
  });
}
