/** A colour in RGB, each part from 0 to 255. */
export interface Colour {
  r: number
  g: number
  b: number
}

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The colour that `#RGB` or `#RRGGBB` names; undefined for anything else. */
export function readHexColour(text: string): Colour | undefined {
  if (!HEX.test(text)) return undefined
  const digits = text.length === 4 ? Array.from(text.slice(1), digit => digit + digit).join('') : text.slice(1)
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map(at => Number.parseInt(digits.slice(at, at + 2), 16))
  return { r, g, b }
}

/** The operators that paint in a colour (ISO 32000-2, 8.6.4.3): areas and text with `rg`, lines with `RG`. */
export function writeColour({ r, g, b }: Colour, operator: 'rg' | 'RG'): string {
  return `${[r, g, b].map(part => String(Math.round((part / 255) * 1000) / 1000)).join(' ')} ${operator}`
}
