import type { Color } from '../../../options/colors'
import { findPageSize } from '../../../options/page-sizes'
import type { PageSize } from '../../../options/page-sizes'
import type { Invoice } from '../data/invoice'

/** Text style. */
export interface Look {
  sizePt: number
  /** Distance between baselines. */
  leadingPt: number
  weight: number
  color: Color
  /** Whether all figures have the same width. */
  isTabular?: boolean
  /** Whether the text is in Arimo instead of the usual font. */
  isArimo?: boolean
}

type LookName =
  | 'body'
  | 'strong'
  | 'soft'
  | 'label'
  | 'heading'
  | 'figure'
  | 'strongFigure'
  | 'company'
  | 'title'
  | 'number'
  | 'due'
  | 'total'
  | 'totalFigure'
  | 'footer'

/** Measures and colors of one invoice. Lengths are in points. */
export interface Theme {
  page: PageSize
  /** Margin on both sides. */
  margin: number
  /** Upper and lower limits of the content, measured from the upper edge of the page. */
  top: number
  bottom: number
  /** Height of the accent band at the upper edge. 0 for none. */
  band: number
  looks: Readonly<Record<LookName, Look>>
  /** The accent color as sent, for areas. */
  accent: Color
  /** The accent color of small text. It is darker if the accent color has too little contrast with white. */
  accentText: Color
  /** A light tint of the accent color, for backgrounds. */
  tint: Color
  line: Color
  ink: Color
  /** Padding above and below the text of a row. */
  rowPad: number
  /** Distance between the parts of the invoice. */
  gap: number
  logo: PageSize
  /** Whether the heading comes first and the sender's name last. */
  hasTitleFirst: boolean
  isHeaderTinted: boolean
  isTotalFilled: boolean
}

const INK: Color = { r: 23, g: 25, b: 31 }
const SOFT: Color = { r: 100, g: 106, b: 120 }
const LINE: Color = { r: 221, g: 224, b: 230 }
const WHITE: Color = { r: 255, g: 255, b: 255 }
const BLACK: Color = { r: 0, g: 0, b: 0 }

interface Measures {
  size: number
  title: number
  company: number
  margin: number
  rowPad: number
  gap: number
  band: number
  logo: PageSize
}

const MEASURES: Record<Invoice['template'], Measures> = {
  classic: {
    size: 9,
    title: 25,
    company: 14,
    margin: 50,
    rowPad: 7,
    gap: 26,
    band: 0,
    logo: { width: 150, height: 44 },
  },
  modern: {
    size: 9,
    title: 30,
    company: 12,
    margin: 50,
    rowPad: 8,
    gap: 28,
    band: 8,
    logo: { width: 150, height: 48 },
  },
  compact: {
    size: 7.5,
    title: 16,
    company: 11,
    margin: 40,
    rowPad: 3,
    gap: 14,
    band: 0,
    logo: { width: 110, height: 30 },
  },
}

/** Distances of a tight theme, as a share of the usual ones. */
const TIGHT_GAP = 0.55
const TIGHT_PAD = 0.75

/** Weights of the font (OpenType usWeightClass). */
const REGULAR = 400
const SEMIBOLD = 600

/** Distance between baselines of running text, of the sender's name and of the title, as a share of their size. */
const LEADING = { text: 1.45, company: 1.25, title: 1.15 }

/** Distance between the accent band and the content, in points. */
const BELOW_BAND = 6

/** Height above the lower margin that stays free for the footer, in points. */
const FOOTER_ROOM = 14

/** Share of white in the tint. */
const TINT_WHITE = 0.93

/** Distance between a heading and its text, as a share of the size of the heading. */
export const HEADING_GAP = 0.35

/** Creates the theme for a template, color and paper size. A tight theme has smaller distances. */
export function openTheme(
  { template, accentColor, pageSize }: Pick<Invoice, 'template' | 'accentColor' | 'pageSize'>,
  isTight = false,
): Theme {
  const page = findPageSize(pageSize) as PageSize // The schema allows no other names.
  const { size, title, company, margin, rowPad, gap, band, logo } = MEASURES[template]
  const accent = accentColor
  const accentText = readableAccent(accent)
  const onAccent = contrastWithWhite(accent) >= LEAST_CONTRAST ? WHITE : BLACK
  const isModern = template === 'modern'
  const look = (scale: number, weight: number, color: Color, overrides: Partial<Look> = {}): Look => ({
    sizePt: size * scale,
    leadingPt: size * scale * LEADING.text,
    weight,
    color,
    ...overrides,
  })
  const titleColor = isModern ? INK : darkenUntil(accent, LEAST_LARGE_CONTRAST)
  const totalColor = isModern ? onAccent : INK
  return {
    page,
    margin,
    top: margin + (isModern ? BELOW_BAND : 0),
    bottom: page.height - margin - FOOTER_ROOM,
    band,
    looks: {
      body: look(1, REGULAR, INK),
      strong: look(1, SEMIBOLD, INK),
      soft: look(0.9, REGULAR, SOFT),
      label: look(0.85, REGULAR, SOFT),
      heading: isModern ? look(0.85, SEMIBOLD, accentText) : look(0.85, REGULAR, SOFT),
      figure: look(1, REGULAR, INK, { isTabular: true }),
      strongFigure: look(1, SEMIBOLD, INK, { isTabular: true }),
      company: look(company / size, SEMIBOLD, INK, { leadingPt: company * LEADING.company }),
      title: look(title / size, SEMIBOLD, titleColor, { leadingPt: title * LEADING.title }),
      number: look(1.1, REGULAR, SOFT),
      due: look(1.35, SEMIBOLD, accentText, { isTabular: true }),
      total: look(1.25, SEMIBOLD, totalColor),
      totalFigure: look(1.25, SEMIBOLD, totalColor, { isTabular: true }),
      footer: look(0.8, REGULAR, SOFT),
    },
    accent,
    accentText,
    tint: mix(accent, WHITE, TINT_WHITE),
    line: LINE,
    ink: INK,
    rowPad: isTight ? rowPad * TIGHT_PAD : rowPad,
    gap: isTight ? gap * TIGHT_GAP : gap,
    logo,
    hasTitleFirst: isModern,
    isHeaderTinted: isModern,
    isTotalFilled: isModern,
  }
}

function mix(from: Color, to: Color, share: number): Color {
  const part = (a: number, b: number): number => Math.round(a + (b - a) * share)
  return { r: part(from.r, to.r), g: part(from.g, to.g), b: part(from.b, to.b) }
}

/** Minimum contrast of text and of large text with white (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5
const LEAST_LARGE_CONTRAST = 3

/** Number of steps between a color and black. */
const DARKENING_STEPS = 20

/** Returns the color of small text in an accent color. It is darker if the accent color isn't readable on white. */
export function readableAccent(accent: Color): Color {
  return darkenUntil(accent, LEAST_CONTRAST)
}

function darkenUntil(color: Color, contrast: number): Color {
  for (let step = 0; step <= DARKENING_STEPS; step++) {
    const darker = mix(color, BLACK, step / DARKENING_STEPS)
    if (contrastWithWhite(darker) >= contrast) return darker
  }
  return BLACK
}

/** Returns the contrast ratio with white, from 1 to 21, as defined in WCAG 2.2. */
function contrastWithWhite(color: Color): number {
  return 1.05 / (luminanceOf(color) + 0.05)
}

/** Returns the relative luminance, from 0 to 1. WCAG 2.2 defines it with these numbers. */
function luminanceOf({ r, g, b }: Color): number {
  const [red = 0, green = 0, blue = 0] = [r, g, b].map(part =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
