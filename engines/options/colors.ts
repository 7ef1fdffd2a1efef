/** An RGB color. Each component is from 0 to 255. */
export interface Color {
  r: number
  g: number
  b: number
}

/** `#RGB` or `#RRGGBB`, as a pattern of JSON Schema, which has no flags. */
export const HEX_PATTERN = '^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$'

const HEX = new RegExp(HEX_PATTERN)

/** Parses `#RGB` or `#RRGGBB`. Undefined for other text. */
export function readHexColor(text: string): Color | undefined {
  if (!HEX.test(text)) return undefined
  const digits = text.length === 4 ? Array.from(text.slice(1), digit => digit + digit).join('') : text.slice(1)
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map(at => Number.parseInt(digits.slice(at, at + 2), 16))
  return { r, g, b }
}

/** Writes a color as `#rrggbb`. */
export function writeHexColor({ r, g, b }: Color): string {
  return `#${[r, g, b].map(part => part.toString(16).padStart(2, '0')).join('')}`
}

const GRAY_OPERATORS = { rg: 'g', RG: 'G' } as const

/**
 * Returns whether a color is black, white or gray. Such colors use DeviceGray, which works in all printers and in
 * PDF/A.
 */
export function isGray({ r, g, b }: Color): boolean {
  return r === g && g === b
}

/**
 * The operators that set a color (ISO 32000-2, 8.6.4): `rg` for fills and text, `RG` for strokes. Grays use `g` and
 * `G`.
 */
export function writeColor(color: Color, operator: 'rg' | 'RG'): string {
  const { r, g, b } = color
  const parts = isGray(color) ? [r] : [r, g, b]
  const written = parts.map(part => String(Math.round((part / 255) * 1000) / 1000)).join(' ')
  return `${written} ${isGray(color) ? GRAY_OPERATORS[operator] : operator}`
}
