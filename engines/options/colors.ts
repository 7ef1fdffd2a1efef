/** A color in RGB, each part from 0 to 255. */
export interface Color {
  r: number
  g: number
  b: number
}

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The color that `#RGB` or `#RRGGBB` names; undefined for anything else. */
export function readHexColor(text: string): Color | undefined {
  if (!HEX.test(text)) return undefined
  const digits = text.length === 4 ? Array.from(text.slice(1), digit => digit + digit).join('') : text.slice(1)
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map(at => Number.parseInt(digits.slice(at, at + 2), 16))
  return { r, g, b }
}

const GRAY_OPERATORS = { rg: 'g', RG: 'G' } as const

/**
 * Whether a color is black, white or a gray, which is written in DeviceGray: printers and PDF/A take that everywhere.
 */
export function isGray({ r, g, b }: Color): boolean {
  return r === g && g === b
}

/**
 * The operators that paint in a color (ISO 32000-2, 8.6.4): areas and text with `rg`, lines with `RG`. Grays are
 * written with `g` and `G`.
 */
export function writeColor(color: Color, operator: 'rg' | 'RG'): string {
  const { r, g, b } = color
  const parts = isGray(color) ? [r] : [r, g, b]
  const written = parts.map(part => String(Math.round((part / 255) * 1000) / 1000)).join(' ')
  return `${written} ${isGray(color) ? GRAY_OPERATORS[operator] : operator}`
}
