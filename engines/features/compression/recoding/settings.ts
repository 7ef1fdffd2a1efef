/** The resolution in settings that don't limit it. Such settings may still reduce images by `scale`. */
export const ANY_DPI = Infinity

/** How images may change. Sizes are in pixels per inch at the largest size at which an image is drawn. */
export interface ImageSettings {
  /** Whether pixels may change at all. All other settings apply only if this is true. */
  isLossy: boolean
  /** The resolution to which gray and color images are reduced, or `ANY_DPI`. */
  photoDpi: number
  /** The resolution to which images of one bit are reduced, or `ANY_DPI`. */
  bilevelDpi: number
  /** Share of the width and height that all images keep, from 0 to 1, after the limits of resolution. */
  scale: number
  /** Quality of JPEG data, from 1 to 100. */
  quality: number
  /** How much larger an exact copy may be than a JPEG copy and still be preferred. */
  exactBonus: number
  /** Whether CMYK images are converted to RGB. */
  convertsCmyk: boolean
  /** Whether images are already as small as they can be without loss, so that this needn't be tried. */
  isExactDone: boolean
}

/** The levels of the option `level`. */
export type Level = 'lossless' | 'print' | 'screen'

/** The settings of each level. */
export const LEVEL_SETTINGS: Readonly<Record<Level, ImageSettings>> = {
  lossless: {
    isLossy: false,
    photoDpi: ANY_DPI,
    bilevelDpi: ANY_DPI,
    scale: 1,
    quality: 100,
    exactBonus: 1,
    convertsCmyk: false,
    isExactDone: false,
  },
  print: {
    isLossy: true,
    photoDpi: 200,
    bilevelDpi: 300,
    scale: 1,
    quality: 85,
    exactBonus: 1.5,
    convertsCmyk: false,
    isExactDone: false,
  },
  screen: {
    isLossy: true,
    photoDpi: 150,
    bilevelDpi: 300,
    scale: 1,
    quality: 72,
    exactBonus: 1.2,
    convertsCmyk: true,
    isExactDone: false,
  },
}

/** The strength at which `settingsOfStrength` reduces nothing but JPEG quality. */
const FULL_SCALE = 0.5

/** The smallest and largest quality and the smallest scale that a target size may lead to. */
const QUALITIES: readonly [least: number, most: number] = [20, 95]
const LEAST_SCALE = 0.12

/**
 * Settings between the smallest file (0) and the best images (1). A larger number never means a lower quality or a
 * lower resolution.
 */
export function settingsOfStrength(strength: number, correction = 1): ImageSettings {
  const [least, most] = QUALITIES
  const scale = LEAST_SCALE + (1 - LEAST_SCALE) * Math.min(1, strength / FULL_SCALE)
  return {
    isLossy: true,
    photoDpi: ANY_DPI,
    bilevelDpi: ANY_DPI,
    scale: Math.min(1, scale * correction),
    quality: Math.round(least + (most - least) * strength),
    exactBonus: 1,
    convertsCmyk: false,
    isExactDone: true,
  }
}
